#include "device/gpu/graph.hpp"

#include "base/no_copy.hpp"
#include "device/gpu/check.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// Destroys a graph once it has been made ready to run.
struct Captured : NoCopy {
    cudaGraph_t graph = nullptr;
    ~Captured() {
        if (graph != nullptr) (void)cudaGraphDestroy(graph);
    }
};

class Graph final : public PreparedWork {
  public:
    explicit Graph(cudaGraph_t graph) {
        check(cudaGraphInstantiate(&ready_, graph, 0), "cudaGraphInstantiate");
    }
    ~Graph() override { (void)cudaGraphExecDestroy(ready_); }
    void run(const DeviceView& view, std::span<std::byte* const> /*places*/) override {
        check(cudaGraphLaunch(ready_, static_cast<cudaStream_t>(view.stream())), "cudaGraphLaunch");
    }

  private:
    cudaGraphExec_t ready_ = nullptr;
};

}  // namespace

std::unique_ptr<PreparedWork> recorded(int number, cudaStream_t stream, FunctionRef<void()> put) {
    check(cudaSetDevice(number), "cudaSetDevice");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    Captured captured;
    try {
        put();
    } catch (...) {
        (void)cudaStreamEndCapture(stream, &captured.graph);
        (void)cudaGetLastError();
        throw;
    }
    check(cudaStreamEndCapture(stream, &captured.graph), "cudaStreamEndCapture");
    return std::make_unique<Graph>(captured.graph);
}

}  // namespace weft::core::WEFT_GPU_TARGET
