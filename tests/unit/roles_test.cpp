// What endpoints are by their descriptions, ids and ports, and the file that overrides it.
#include "formats/roles.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.hpp"

namespace banyan::tests {
namespace {

Role role(std::string_view description) { return role_of({.description = description}).role; }
bool unnamed(std::string_view description) { return role_of({.description = description}).unnamed; }

TEST(Roles, AdaptersOfOrdinaryNamesBelongToHosts) {
  for (std::string_view name :
       {"node7 mlx5_0", "k04-p2-dgx-11-c03 HCA-6", "bigmem2", "visu1 HCA-1", "gpu-3 hfi1_0", "c12n4 ibp24s0",
        "Hca1", "H_7 HCA-1 (Mellanox HCA)", "10.1.2.3 mlx5_0", "node7.storage.example.org mlx5_0"}) {
    EXPECT_EQ(role(name), Role::host) << name;
    EXPECT_FALSE(unnamed(name)) << name;
  }
}

TEST(Roles, AggregationNodesAreKnownByDescriptionDeviceOrPort) {
  EXPECT_EQ(role("Mellanox Technologies Aggregation Node"), Role::aggregation);
  EXPECT_EQ(role("Quantum Mellanox Technologies Aggregation Node"), Role::aggregation);
  EXPECT_EQ(role_of({.description = "", .vendor = 0x2c9, .device = 0xcf09}).role, Role::aggregation);
  EXPECT_EQ(role_of({.description = "", .switch_port = 41, .switch_ports = 41}).role, Role::aggregation);
  // A host at the last socket, and a nameless adapter at another one, are none.
  EXPECT_EQ(role_of({.description = "n1 HCA-1", .switch_port = 41, .switch_ports = 41}).role, Role::host);
  EXPECT_EQ(role_of({.description = "", .switch_port = 36, .switch_ports = 36}).role, Role::unknown);
  EXPECT_EQ(role_of({.description = "", .switch_port = 40, .switch_ports = 41}).role, Role::unknown);
  const Endpoint adapter{
      .description = "", .vendor = 0x2c9, .device = 0x1021, .switch_port = 41, .switch_ports = 41};
  EXPECT_EQ(role_of(adapter).role, Role::unknown);
}

TEST(Roles, ManagersGatewaysAndLoginNodesAreServices) {
  for (std::string_view name :
       {"ufm1 HCA-1", "K11-P1-CUFM-02 mlx5_1", "opensm HCA-1", "sm1 mlx5_0", "skyway-2 mlx5_0",
        "ib-gw3 mlx5_1", "BridgeX Mellanox Technologies", "login07 HCA-1", "site-frontend2 HCA-1",
        "site-master1 HCA-1", "lnet-rtr4", "mgmt01", "MF0;ibsw4:SX6036G/GW1"})
    EXPECT_EQ(role(name), Role::service) << name;
  EXPECT_EQ(role_of({.description = "r1", .is_router = true}).role, Role::service);
}

TEST(Roles, StorageIsKnownByWholeWords) {
  for (std::string_view name :
       {"oss4 HCA-1", "mds1", "hpc-OSS-12 mlx5_0", "lustre-mgs1", "nsd03 HCA-1", "ddn2-c1", "vast-cnode-17",
        "weka5", "stor12", "storage-3", "r2nfs1", "fs2 HCA-1"})
    EXPECT_EQ(role(name), Role::storage) << name;
  for (std::string_view name : {"boss4", "ossian", "storm7", "vastra1", "login7x-lossy", "gloss3", "amds1",
                                "kafs2", "a-fs2", "headroom1", "smnode3"})
    EXPECT_NE(role(name), Role::storage) << name;
  for (std::string_view name : {"boss4", "storm7", "headroom1", "site-sm-12", "smart3", "gwen2", "masterful"})
    EXPECT_EQ(role(name), Role::host) << name;
}

TEST(Roles, ProductsNameNoHost) {
  for (std::string_view name :
       {"MT4129 ConnectX7   Mellanox Technologies", "MT25408 ConnectX Mellanox Technologies", "MT4123", "",
        "MT27800 Family", "mlx5_0", "MT23108 InfiniHost Mellanox Technologies",
        "Infiniband Host Channel Adapter", "Host Channel Adapter", "QLogic Infiniband HCA", "HCA-1", " HCA-2",
        "NVIDIA ConnectX-8"}) {
    EXPECT_EQ(role(name), Role::unknown) << name;
    EXPECT_TRUE(unnamed(name)) << name;
  }
  EXPECT_TRUE(unnamed("Mellanox Technologies Aggregation Node"));
  for (std::string_view name : {"nvidia-h100-3 mlx5_0", "MT12 HCA-1", "ibm7 HCA-1", "mt4129x"})
    EXPECT_EQ(role(name), Role::host) << name;
}

TEST(Roles, PlaceholdersAreNamesOfUnknownMachines) {
  for (std::string_view name :
       {"localhost HCA-6", "ubuntu mlx5_0", "(none) HCA-1", "localhost.localdomain mlx5_1"}) {
    EXPECT_EQ(role(name), Role::unknown) << name;
    EXPECT_FALSE(unnamed(name)) << name;
  }
}

TEST(Roles, ANetworkOfServersAloneHasThemAsHosts) {
  const std::vector<Endpoint> lab = {{.description = "t-ufm1 HCA-1"},
                                     {.description = "t-ufm2 HCA-1"},
                                     {.description = "r", .is_router = true},
                                     {.description = "Mellanox Technologies Aggregation Node"}};
  const auto roles = roles_of(lab);
  EXPECT_EQ(roles[0].role, Role::host);
  EXPECT_EQ(roles[1].role, Role::host);
  EXPECT_EQ(roles[2].role, Role::service);
  EXPECT_EQ(roles[3].role, Role::aggregation);
  auto with_host = lab;
  with_host.push_back({.description = "n1 HCA-1"});
  EXPECT_EQ(roles_of(with_host)[0].role, Role::service);
}

RoleFile read(const std::string& text) {
  std::istringstream in(text);
  return read_roles(in, "site.roles");
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RolesFile, OverridesTheTableAndLaterLinesWin) {
  const RoleFile file = read(
      "# ours\n\nLOGIN* host   # they compute\nlogin1 service\nnode?? storage\n"
      "MT4129 ConnectX7 * host\n");
  EXPECT_EQ(file.size(), 4u);
  const std::vector<Endpoint> endpoints = {
      {.description = "login1 HCA-1"},  {.description = "login2 HCA-1"},
      {.description = "node12 mlx5_0"}, {.description = "node7 mlx5_0"},
      {.description = "oss1 HCA-1"},    {.description = "MT4129 ConnectX7   Mellanox Technologies"}};
  const auto roles = roles_of(endpoints, file);
  EXPECT_EQ(roles[0], (EndpointRole{Role::service, false}));
  EXPECT_EQ(roles[1], (EndpointRole{Role::host, false}));
  EXPECT_EQ(roles[2], (EndpointRole{Role::storage, false}));
  EXPECT_EQ(roles[3], (EndpointRole{Role::host, false}));
  EXPECT_EQ(roles[4], (EndpointRole{Role::storage, false}));
  EXPECT_EQ(roles[5], (EndpointRole{Role::host, true}));
}

TEST(RolesFile, PatternsMatchWholeNames) {
  const RoleFile file = read("*a*b? storage\n");
  for (std::string_view name : {"abc", "xaybz", "aabbb", "abxabx", "a b1 HCA-1"})
    EXPECT_TRUE(file.find(name).has_value()) << name;
  for (std::string_view name : {"ab", "abcd", "ba1", ""}) EXPECT_FALSE(file.find(name).has_value()) << name;
  EXPECT_EQ(read("node7?mlx5_0 service\n").find("node7 mlx5_0"), Role::service);  // one adapter
}

TEST(RolesFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint("a host\nlogin1\n"),
            "site.roles:2: found 'login1', expected PATTERN ROLE, such as 'login* service'");
  EXPECT_EQ(complaint("login1 manager\n"),
            "site.roles:1: found 'manager', expected a role: host, storage, service, aggregation, unknown");
  EXPECT_EQ(complaint("n[01-20] host\n"),
            "site.roles:1: found 'n[01-20]', expected a pattern with * and ? only");
}

}  // namespace
}  // namespace banyan::tests
