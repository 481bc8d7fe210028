// Serves a saved network: serve MODULE IMAGES.bin COUNT CHANNELS HEIGHT WIDTH reads float32 images and prints, of each,
// its scores.
#include <cstdio>
#include <cstdlib>
#include <emberjit/emberjit.hpp>
#include <fstream>

namespace {

int complain(const std::string& what) {
  std::fprintf(stderr, "serve: %s\n", what.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) return complain("MODULE IMAGES.bin COUNT CHANNELS HEIGHT WIDTH");
  auto network = emberjit::Module::load(argv[1]);
  if (!network) return complain(network.error());
  int64_t shape[4];
  for (int i = 0; i < 4; ++i) shape[i] = std::atoll(argv[3 + i]);
  std::vector<float> images(static_cast<size_t>(shape[0] * shape[1] * shape[2] * shape[3]));
  std::ifstream file(argv[2], std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(images.data()), static_cast<std::streamsize>(images.size() * sizeof(float))))
    return complain(std::string(argv[2]) + " is too short");
  auto results = network->run({emberjit::tensor(images.data(), {shape[0], shape[1], shape[2], shape[3]})});
  if (!results) return complain(results.error());
  const emberjit::Tensor& scores = (*results)[0];
  const float* score = scores.data<float>();
  for (int64_t i = 0; i < scores.shape()[0]; ++i) {
    for (int64_t k = 0; k < scores.shape()[1]; ++k) std::printf("%s%a", k ? " " : "", static_cast<double>(*score++));
    std::printf("\n");
  }
  return 0;
}
