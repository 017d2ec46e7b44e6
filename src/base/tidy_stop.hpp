// How long a program may take to end after Ctrl-C.
#pragma once

namespace banyan::base {

// After SIGINT or SIGTERM loops stop at the next moment that suits them. What has not ended within a second
// is ended there and then, with status 130: after catch_interrupts(), unless this was called. A program that
// has something to finish, as a store or clients, calls it and ends by itself.
void stop_tidily();

}  // namespace banyan::base
