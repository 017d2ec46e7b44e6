// Property tests draw the same cases every time, however they are started, unless RC_PARAMS says otherwise
// (./test --explore sets it to a new seed).
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("RC_PARAMS", "seed=20080601", 0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
