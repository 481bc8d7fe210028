// .npy files: what is written comes back, and no hostile file does more than an error.
#include "tiers/vmtool/npy.h"
#include "ops/program/strided.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace ember::vmtool {
namespace {

class Npy : public ::testing::Test {
 protected:
  ~Npy() override { ::unlink(path_.c_str()); }

  void write(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
  void write_array(const std::string& header, const std::string& data) {
    std::string bytes = "\x93NUMPY";
    bytes += '\1';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    write(bytes + header + data);
  }
  std::string error() {
    try {
      read_npy(path_);
    } catch (const NpyError& e) {
      return std::string(e.what()).substr(path_.size());
    }
    return "accepted";
  }

  std::string path_ = ::testing::TempDir() + "emberjit_" + std::to_string(::getpid()) + ".npy";
};

TEST(NpyFiles, AreRegular) {
  for (const char* path : {"/dev/zero", "/dev", "/nowhere/x.npy"}) EXPECT_THROW(read_npy(path), NpyError) << path;
}

TEST_F(Npy, ComesBackEqual) {
  for (size_t d = 0; d < ops::kDTypes; ++d) {
    const auto dtype = static_cast<ops::DType>(d);
    const ops::Tensor t = ops::Tensor::full(dtype, {2, 3}, 1);
    write_npy(t, path_);
    const ops::Tensor back = read_npy(path_);
    EXPECT_EQ(back.layout_ref(), t.layout_ref());
    EXPECT_EQ(std::memcmp(back.data(), t.data(), t.layout().bytes()), 0);
  }
}

TEST_F(Npy, NoDimensionsAndNoElements) {
  write_npy(ops::Tensor::scalar(2.5f), path_);
  EXPECT_EQ(*read_npy(path_).data_as<float>(), 2.5f);
  write_npy(ops::Tensor::empty(ops::DType::Float32, {0, 3}), path_);
  EXPECT_EQ(read_npy(path_).numel(), 0);
}

TEST_F(Npy, FortranOrderIsATransposedView) {
  const float data[] = {1, 2, 3, 4, 5, 6};
  write_array("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n",
              std::string(reinterpret_cast<const char*>(data), sizeof(data)));
  const ops::Tensor t = ops::to_contiguous(read_npy(path_));
  EXPECT_EQ(t.data_as<float>()[1], 3.0f);
  EXPECT_EQ(t.data_as<float>()[3], 2.0f);
}

TEST_F(Npy, HostileFilesAreRefused) {
  EXPECT_EQ(error(), ": can't be read");
  write("");
  EXPECT_EQ(error(), ": this is no .npy file");
  write("\x93NUMPY\x07");
  EXPECT_EQ(error(), ": .npy version 7 is not known");
  write(std::string("\x93NUMPY\1\0\xFF\xFF", 10));
  EXPECT_EQ(error(), ": ends too early");
  write_array("{'descr': '<f4', 'shape': (3,)}", "");
  EXPECT_EQ(error(), ": the header is malformed");
  write_array("{'descr': '>f4', 'fortran_order': False, 'shape': (3,)}", "");
  EXPECT_EQ(error(), ": elements of type '>f4' are not supported");
  write_array("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "12345678901");
  EXPECT_EQ(error(), ": shape (3,) needs 12 bytes of data, and there are 11");
  write_array("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "");
  EXPECT_EQ(error(), ": an array of impossible size");
  write_array("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", "1234");
  EXPECT_EQ(error(), ": more than 8 dimensions");
  write_array("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "\2");
  EXPECT_EQ(error(), ": a bool that is neither true nor false");
  write_array("{'descr': '<f4', 'fortran_order': False, 'shape': (16777216, 16777216, 16777216)}", "");
  EXPECT_NE(error(), "accepted");
}

TEST_F(Npy, EveryTruncationIsRefused) {
  write_npy(ops::Tensor::full(ops::DType::Int32, {4}, 7), path_);
  std::ifstream in(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (size_t size = 0; size < bytes.size(); ++size) {
    write(bytes.substr(0, size));
    EXPECT_NE(error(), "accepted") << size;
  }
}

}  // namespace
}  // namespace ember::vmtool
