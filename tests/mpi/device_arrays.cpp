// Arrays of the fake device that are given to calls, and what is refused, on the rank that gives
// them alone, before anything is sent.

#include "device_ends.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {
namespace {

class DeviceArrays : public ::testing::Test {
  protected:
    void SetUp() override {
        if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    }
};

/// Numbers that the device's memory has after a transform of them there and back.
std::vector<Complex> on_host(const void* device, Index elements) {
    std::vector<Complex> result(static_cast<std::size_t>(elements));
    transfer(device, result.data(), elements);
    return result;
}

TEST_F(DeviceArrays, OfCallsGiveWhatTheHostGives) {
    const char* given = "c2c:f64:12x10x8 in=slab(0) out=slab(0) scale=1/n";
    for (const char* problem : {shape, given}) {
        for (const char* choice : {"space=fake", "space=fake(staged:512)"}) {
            const Plan plan = plan_of(choice, problem);
            const std::vector<Complex> expected = spectrum_of(plan, problem);
            Transform any = plan.bind(Memory::device);
            for (const Index shift : {0, 16, 64}) {
                Ends ends(plan, shift);
                any.forward(ends.input(true), ends.output(true));
                ends.fetch(plan);
                expect_near(ends.out, expected);
                // Back, into other memory.
                const auto back = on_device(plan.in_size(), "back");
                any.backward(numbers(*back), ends.output(true));
                std::vector<Complex> returned = on_host(numbers(*back), plan.in_size());
                const double factor = problem == given ? 1 : 1.0 / (12 * 10 * 8);
                for (Complex& one : returned) one *= factor;
                expect_near(returned, ends.in);
            }
        }
    }
}

TEST_F(DeviceArrays, OfSeveralFieldsOfCalls) {
    const Plan plan = plan_of("space=fake");
    Transform any = plan.bind_fields(3, Memory::device);
    const std::vector<Complex> expected = spectrum_of(plan);
    for (int call = 0; call < 3; ++call) {
        Ends a(plan);
        Ends b(plan, 16);
        Ends c(plan);
        any.forward(std::vector<Complex*>{a.input(true), b.input(true), c.input(true)},
                    std::vector<Complex*>{a.output(true), b.output(true), c.output(true)});
        for (Ends* ends : {&a, &b, &c}) {
            ends->fetch(plan);
            expect_near(ends->out, expected);
        }
    }
}

TEST_F(DeviceArrays, InPlaceAndOfRealNumbers) {
    const std::string problem = "r2c:f64:12x10x8 in_place";
    const Plan plan = plan_of("space=fake", problem);
    const Plan host = plan_of("space=host", problem);
    ASSERT_EQ(host.out_strides(world_rank()), plan.out_strides(world_rank()));
    const Index elements = std::max(plan.out_size(), (plan.in_size() + 1) / 2);
    std::vector<Complex> signal(static_cast<std::size_t>(elements));
    for (std::size_t i = 0; i < signal.size(); ++i) {
        signal[i] = {std::cos(0.7 * static_cast<double>(i)), 0.5 + world_rank()};
    }
    const auto memory = on_device(elements, "both");
    transfer(signal.data(), memory->data(), elements);
    plan.bind(Memory::device).forward(numbers(*memory));
    host.bind().forward(signal.data());
    signal.resize(static_cast<std::size_t>(plan.out_size()));
    expect_near(on_host(memory->data(), plan.out_size()), signal);
}

TEST_F(DeviceArrays, OfRanksThatOwnNothingMayBeNull) {
    const std::string problem = "c2c:f64:12x10x8 in=single out=single";
    const Plan plan = plan_of("space=fake", problem);
    Ends ends(plan);
    const bool owns = plan.in_size() > 0;
    Transform any = plan.bind(Memory::device);
    any.forward(owns ? ends.input(true) : nullptr, owns ? ends.output(true) : nullptr);
    ends.fetch(plan);
    expect_near(ends.out, spectrum_of(plan, problem));
}

TEST_F(DeviceArrays, OfAnotherMemoryThanWasSaidAreRefused) {
    const Plan plan = plan_of("space=fake");
    if (plan.in_size() == 0) return;
    Ends ends(plan);
    const std::vector<Complex> expected = spectrum_of(plan);
    for (const bool device : {false, true}) {
        Transform any = plan.bind(device ? Memory::device : Memory::host);
        std::vector<std::string> texts = {"memory of the host", "bound for arrays of fake",
                                          "Memory::host"};
        if (!device) texts = {"memory of fake", "bound for arrays of the host", "Memory::device"};
        expect_refused_here([&] { any.forward(ends.input(!device), ends.output(!device)); }, texts);
        texts.emplace_back("the output array");
        expect_refused_here([&] { any.start_forward(ends.input(device), ends.output(!device)); },
                            texts);
        texts.back() = "the input array";
        expect_refused_here([&] { any.backward(ends.input(!device), ends.output(device)); }, texts);
        // Nothing has started.
        EXPECT_TRUE(any.test());
        MPI_Barrier(MPI_COMM_WORLD);
        std::fill(ends.out.begin(), ends.out.end(), 0);
        any.forward(ends.input(device), ends.output(device));
        if (device) ends.fetch(plan);
        expect_near(ends.out, expected);
    }
    Transform host = plan_of("space=host").bind();
    expect_refused_here([&] { host.forward(ends.input(true), ends.output(true)); },
                        {"memory of fake", "bound for arrays of the host", "space=fake"});
}

TEST_F(DeviceArrays, NeedAPlanForTheDeviceAndRanksThatAgree) {
    const Plan host = plan_of("space=host");
    expect_refused([&] { (void)host.bind(Memory::device); }, ErrorCode::bad_request,
                   {"memory of a device", "computed on the host", "space="});
    expect_binds("space=host");
    if (world_size() == 1) return;
    const Plan plan = plan_of("space=fake");
    expect_refused([&] { (void)plan.bind(is_last() ? Memory::device : Memory::host); },
                   ErrorCode::bad_request, {"1, without arrays, for the device's"});
    expect_binds("space=fake");
}

// Fields of the host go through the same workspace one after the other, and the host waits for none
// of them. Launched with devices that are late, on which work is queue 1 and hops are queue 2:
// other tests would make queues before.
class DeviceFields : public ::testing::Test {};

TEST_F(DeviceFields, OfTheHostTakeTurns) {
    const Plan plan = Plan::parse(std::string(shape) + "; space=fake", MPI_COMM_SELF);
    const Plan host = Plan::parse(std::string(shape) + "; space=host", MPI_COMM_SELF);
    constexpr int fields = 3;
    const auto elements = static_cast<std::size_t>(plan.in_size());
    std::vector<std::vector<Complex>> in;
    std::vector<std::vector<Complex>> out(fields, std::vector<Complex>(elements));
    std::vector<std::vector<Complex>> expected = out;
    std::vector<Complex*> ins;
    std::vector<Complex*> outs;
    for (std::size_t field = 0; field < fields; ++field) {
        in.push_back(signal_of(plan));
        for (Complex& one : in.back()) one += Complex(static_cast<double>(field), 1);
        host.bind(in.back().data(), expected[field].data()).forward();
    }
    for (std::size_t field = 0; field < fields; ++field) {
        ins.push_back(in[field].data());
        outs.push_back(out[field].data());
    }
    Transform bound = plan.bind(ins, outs);
    Transform any = plan.bind_fields(fields);
    for (int call = 0; call < 4; ++call) {
        for (auto& one : out) std::fill(one.begin(), one.end(), 0);
        call % 2 == 0 ? bound.forward() : any.forward(ins, outs);
        for (std::size_t field = 0; field < fields; ++field) {
            expect_near(out[field], expected[field]);
        }
    }
}

// Two devices in one process, as two GPUs are: each knows the other one's memory.
TEST_F(DeviceArrays, OfAnotherDeviceAreRefused) {
    (void)core::device("fake");
    const auto other = core::make_fake_device({});
    const std::vector<std::string> texts = {"memory of another device", "fake"};
    for (const char* space : {"space=fake", "space=host"}) {
        const Plan plan = plan_of(space);
        if (plan.in_size() == 0) return;
        Ends ends(plan);
        const auto far = other->allocate(std::max(16 * std::max(plan.in_size(), plan.out_size()),
                                                  plan.workspace_bytes(plan.rank())),
                                         "far");
        const bool device = space == std::string("space=fake");
        expect_refused([&] { plan.bind(numbers(*far), ends.output(device)); },
                       ErrorCode::bad_request, texts);
        expect_refused(
            [&] { plan.bind(ends.input(device), is_last() ? numbers(*far) : ends.output(device)); },
            ErrorCode::bad_request, texts);
        expect_refused(
            [&] {
                plan.bind(ends.input(device), ends.output(device), {far->data(), far->bytes()});
            },
            ErrorCode::bad_request, {"the workspace is memory of another device"});
        Transform any = plan.bind(device ? Memory::device : Memory::host);
        expect_refused_here([&] { any.forward(ends.input(device), numbers(*far)); }, texts);
        expect_refused_here([&] { any.forward(numbers(*far), ends.output(device)); }, texts);
        MPI_Barrier(MPI_COMM_WORLD);
        expect_binds(space);
    }
}

}  // namespace
}  // namespace weft::test
