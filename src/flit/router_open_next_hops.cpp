#include "flit/router_of.hpp"

template struct banyan::Router<banyan::OpenNextHops>;
