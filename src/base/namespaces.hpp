// Declares one namespace for each folder of src/. A folder sees the names of the folders below it; a name
// that two visible folders share must be qualified. tests/style/layers.py checks that the includes follow the
// same order.
#pragma once

namespace banyan {
namespace base {}
namespace fabric {
using namespace base;
}
namespace topology {
using namespace fabric;
}
namespace routing {
using namespace topology;
}
namespace engines {
using namespace routing;
}
namespace traffic {
using namespace routing;
}
namespace verify {
using namespace routing;
}
namespace formats {
using namespace routing;
}
namespace flow {
using namespace traffic;
}
namespace flit {
using namespace traffic;
}
namespace qsnet {
using namespace traffic;
}
namespace size {
using namespace topology;
}
namespace ask {
using namespace engines;
using namespace verify;
using namespace formats;
using namespace flow;
using namespace flit;
using namespace size;
}  // namespace ask
namespace study {
using namespace ask;
}
namespace papers {
using namespace study;
}
namespace report {
using namespace papers;
}
namespace serve {
using namespace report;
}
namespace cli {
using namespace serve;
}
namespace opensm_plugin {
using namespace ask;
}
namespace tests {
using namespace cli;
}
}  // namespace banyan
