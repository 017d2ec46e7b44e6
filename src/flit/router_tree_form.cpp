#include "flit/router_of.hpp"

template struct banyan::flit::Router<banyan::routing::TreeForm>;
