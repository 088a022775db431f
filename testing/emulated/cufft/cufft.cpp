#include "testing/emulated/cufft/cufft.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "testing/emulated/cuda/context.hpp"
#include "testing/emulated/cuda/launch.hpp"
#include "testing/emulated/cuda/properties.hpp"
#include "testing/emulated/cufft/cufft_transform.hpp"

namespace weft::core::emulated {

namespace {

/// What a handle stands for.
struct CufftPlan {
    std::shared_ptr<CufftTransform> transform;  ///< null until it is made
    bool allocates = true;
    void* own_work = nullptr;
    void* work = nullptr;
    cudaStream_t stream = nullptr;
};

struct CufftPlans {
    std::mutex mutex;
    std::map<cufftHandle, CufftPlan> plans;
    cufftHandle given = 0;
};

CufftPlans& all_plans() {
    static CufftPlans plans;
    return plans;
}

/// Runs call(plan), which may throw a cufftResult.
template <class Call>
cufftResult with_plan(cufftHandle handle, const Call& call) {
    CufftPlans& all = all_plans();
    const std::scoped_lock lock(all.mutex);
    const auto found = all.plans.find(handle);
    if (found == all.plans.end()) return CUFFT_INVALID_PLAN;
    try {
        call(found->second);
    } catch (const Thrown<cufftResult>& error) {
        return error.code;
    }
    return CUFFT_SUCCESS;
}

/// Throws unless a stream may use all elements of the side that begins there.
void require_array(const CufftLayout& layout, const CufftSide& side, const void* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    if (data == nullptr || address % static_cast<std::uintptr_t>(layout.complex_bytes()) != 0) {
        throw Thrown{CUFFT_INVALID_VALUE};
    }
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) throw Thrown{CUFFT_EXEC_FAILED};
    if (attributes.type == cudaMemoryTypeUnregistered) throw Thrown{CUFFT_INVALID_VALUE};
    const Index bytes = side.places(layout.batch) * layout.bytes(side);
    try {
        context().require_usable(data, static_cast<std::size_t>(bytes));
    } catch (const Thrown<cudaError_t>&) {
        throw Thrown{CUFFT_INVALID_VALUE};
    }
}

cufftResult execute(cufftHandle handle, cufftType type, const void* in, void* out, int direction) {
    return with_plan(handle, [&](CufftPlan& plan) {
        if (plan.transform == nullptr || plan.transform->layout().type != type) {
            throw Thrown{CUFFT_INVALID_PLAN};
        }
        if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
            throw Thrown{CUFFT_INVALID_VALUE};
        CufftLayout layout = plan.transform->layout();
        if (layout.dense && in == out) layout = layout.padded();
        require_array(layout, layout.in, in);
        require_array(layout, layout.out, out);
        if (layout.work_bytes() != 0 && plan.work == nullptr) throw Thrown{CUFFT_NO_WORKSPACE};
        const auto run = [=, transform = plan.transform, work = plan.work](const DeviceView& view) {
            const Reach reach(view);
            transform->run(layout, reach(static_cast<const std::byte*>(in)),
                           reach(static_cast<std::byte*>(out)),
                           reach(static_cast<std::byte*>(work)), direction);
        };
        if (put_work(plan.stream, Closure(run), "cuFFT") != cudaSuccess)
            throw Thrown{CUFFT_EXEC_FAILED};
    });
}

}  // namespace

cufftResult cufftCreate(cufftHandle* plan) {
    if (plan == nullptr) return CUFFT_INVALID_VALUE;
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return CUFFT_SETUP_FAILED;
    CufftPlans& all = all_plans();
    const std::scoped_lock lock(all.mutex);
    *plan = ++all.given;
    all.plans.emplace(*plan, CufftPlan{});
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
    const cufftResult known = with_plan(plan, [](CufftPlan& one) { (void)cudaFree(one.own_work); });
    if (known != CUFFT_SUCCESS) return known;
    CufftPlans& all = all_plans();
    const std::scoped_lock lock(all.mutex);
    all.plans.erase(plan);
    return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates) {
    return with_plan(plan, [&](CufftPlan& one) {
        if (one.transform != nullptr) throw Thrown{CUFFT_INVALID_PLAN};
        one.allocates = allocates != 0;
    });
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                std::size_t* work_bytes) {
    return with_plan(plan, [&](CufftPlan& one) {
        if (one.transform != nullptr) throw Thrown{CUFFT_INVALID_PLAN};
        if (work_bytes == nullptr) throw Thrown{CUFFT_INVALID_VALUE};
        const CufftLayout layout =
            cufft_layout({rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch});
        auto made = std::make_shared<CufftTransform>(layout);
        *work_bytes = static_cast<std::size_t>(layout.work_bytes());
        if (one.allocates && cudaMalloc(&one.own_work, *work_bytes) != cudaSuccess) {
            throw Thrown{CUFFT_ALLOC_FAILED};
        }
        one.work = one.own_work;
        one.transform = std::move(made);
    });
}

cufftResult cufftGetSize(cufftHandle plan, std::size_t* work_bytes) {
    return with_plan(plan, [&](CufftPlan& one) {
        if (one.transform == nullptr) throw Thrown{CUFFT_INVALID_PLAN};
        if (work_bytes == nullptr) throw Thrown{CUFFT_INVALID_VALUE};
        *work_bytes = static_cast<std::size_t>(one.transform->layout().work_bytes());
    });
}

cufftResult cufftSetWorkArea(cufftHandle plan, void* area) {
    return with_plan(plan, [&](CufftPlan& one) {
        if (one.transform == nullptr) throw Thrown{CUFFT_INVALID_PLAN};
        const auto bytes = static_cast<std::size_t>(one.transform->layout().work_bytes());
        try {
            if (bytes != 0 && !context().require_usable(area, bytes))
                throw Thrown{CUFFT_INVALID_VALUE};
        } catch (const Thrown<cudaError_t>&) {
            throw Thrown{CUFFT_INVALID_VALUE};
        }
        one.work = area;
    });
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    return with_plan(plan, [&](CufftPlan& one) { one.stream = stream; });
}

cufftResult cufftGetVersion(int* version) {
    if (version == nullptr) return CUFFT_INVALID_VALUE;
    *version = 12000;
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
    return execute(plan, CUFFT_C2C, in, out, direction);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
    return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
    return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
    return execute(plan, CUFFT_Z2Z, in, out, direction);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
    return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
    return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

}  // namespace weft::core::emulated
