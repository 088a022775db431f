// Transforms in order with what their caller puts into a stream of the device.
#include <chrono>
#include <thread>

#include "device_ends.hpp"
#include "testing/fake/caller_stream.hpp"

namespace weft::test {
namespace {

using Stream = core::CallerStream;

class DeviceStreams : public ::testing::Test {
  protected:
    void SetUp() override {
        if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    }
};

/// That a started transform waits for a stream that stands still.
void expect_held(Transform& transform) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (std::chrono::steady_clock::now() < end) EXPECT_FALSE(transform.test());
}

/// The fields' arrays of the device, none of which holds anything yet.
struct Fields {
    std::vector<Ends> ends;
    std::vector<std::unique_ptr<DeviceMemory>> empty;
    std::vector<Complex*> in;
    std::vector<Complex*> out;

    Fields(const Plan& plan, int count) {
        for (int field = 0; field < count; ++field) {
            Ends& one = ends.emplace_back(plan);
            empty.push_back(on_device(plan.in_size(), "not there yet"));
            in.push_back(numbers(*empty.back()));
            out.push_back(one.output(true));
        }
    }
    /// What the caller's stream does before and after.
    void bring(const Plan& plan, Stream& stream) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            stream.copy(ends[i].in.data(), in[i], plan.in_size() * 16);
        }
    }
    void take(const Plan& plan, Stream& stream) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            stream.copy(out[i], ends[i].out.data(), plan.out_size() * 16);
        }
    }
};

// Of one rank: everything is in the stream's order when the start returns; the host waits for the
// stream only.
TEST_F(DeviceStreams, OrderATransformOfOneRankWithoutTheHost) {
    for (const char* choice : {"space=fake", "space=fake(staged:512)"}) {
        const Plan plan = Plan::parse(std::string(shape) + "; " + choice, MPI_COMM_SELF);
        for (const int fields : {1, 3}) {
            Stream stream;
            Fields arrays(plan, fields);
            Transform transform = plan.bind_fields(fields, Memory::device);
            transform.set_stream(stream.handle());
            stream.hold();
            arrays.bring(plan, stream);
            transform.start_forward(arrays.in, arrays.out);
            arrays.take(plan, stream);
            expect_held(transform);
            stream.go();
            stream.wait();
            std::vector<Complex> expected(static_cast<std::size_t>(plan.out_size()));
            const Plan host = Plan::parse(std::string(shape) + "; space=host", MPI_COMM_SELF);
            host.bind(arrays.ends.front().in.data(), expected.data()).forward();
            for (const Ends& ends : arrays.ends) expect_near(ends.out, expected);
            transform.wait();
        }
    }
}

// Of several ranks: the stream's later work is in order once the transform is complete.
TEST_F(DeviceStreams, OrderTransformsOfSeveralRanks) {
    const Plan plan = plan_of("space=fake");
    const std::vector<Complex> expected = spectrum_of(plan);
    for (const bool bound : {false, true}) {
        Stream stream;
        Fields arrays(plan, 2);
        Transform transform =
            bound ? plan.bind(arrays.in, arrays.out) : plan.bind_fields(2, Memory::device);
        transform.set_stream(stream.handle());
        for (int call = 0; call < 3; ++call) {
            stream.hold();
            arrays.bring(plan, stream);
            if (bound) {
                transform.start_forward();
            } else {
                transform.start_forward(arrays.in, arrays.out);
            }
            if (plan.in_size() > 0) expect_held(transform);
            stream.go();
            transform.wait();
            arrays.take(plan, stream);
            stream.wait();
            for (Ends& ends : arrays.ends) {
                expect_near(ends.out, expected);
                std::fill(ends.out.begin(), ends.out.end(), 0);
            }
        }
    }
}

// What the caller puts into its stream once a transform is started is not waited for, by no field.
TEST_F(DeviceStreams, GoOnBehindAStart) {
    const Plan plan = plan_of("space=fake");
    const std::vector<Complex> expected = spectrum_of(plan);
    Stream stream;
    Fields arrays(plan, 3);
    Transform transform = plan.bind_fields(3, Memory::device);
    transform.set_stream(stream.handle());
    arrays.bring(plan, stream);
    transform.start_forward(arrays.in, arrays.out);
    stream.hold();
    transform.wait();
    stream.go();
    arrays.take(plan, stream);
    stream.wait();
    for (const Ends& ends : arrays.ends) expect_near(ends.out, expected);
}

// Arrays of the host: they are read in the stream's order, and written before it is complete.
TEST_F(DeviceStreams, OrderTransformsOfArraysOfTheHost) {
    // The second begins with a redistribution, which the host packs where memory is bounded.
    for (const std::string problem : {shape, "c2c:f64:12x10x8 in=slab(0) out=slab(0) axes=0"}) {
        for (const char* choice : {"space=fake", "space=fake(memory:2048)"}) {
            const Plan plan = plan_of(choice, problem);
            const std::vector<Complex> expected = spectrum_of(plan, problem);
            Ends ends(plan);
            std::vector<Complex> in(ends.in.size());
            Stream stream;
            Transform transform = plan.bind(in.data(), ends.out.data());
            transform.set_stream(stream.handle());
            stream.hold();
            stream.copy(ends.in.data(), in.data(), plan.in_size() * 16);
            transform.start_forward();
            stream.go();
            transform.wait();
            expect_near(ends.out, expected);
        }
    }
}

TEST_F(DeviceStreams, ThatAreUnsetHoldNothingBack) {
    const Plan plan = plan_of("space=fake");
    Ends ends(plan);
    Stream stream;
    Transform transform = plan.bind(ends.input(true), ends.output(true));
    transform.set_stream(stream.handle());
    transform.unset_stream();
    stream.hold();
    transform.forward();  // Does not wait for it.
    stream.go();
    ends.fetch(plan);
    expect_near(ends.out, spectrum_of(plan));
}

TEST_F(DeviceStreams, ThatDoNotFitAreRefusedOnTheirRank) {
    const Plan plan = plan_of("space=fake");
    Ends ends(plan);
    Transform transform = plan.bind(ends.input(true), ends.output(true));
    const auto refused = [](const std::function<void()>& call, const std::string& text) {
        expect_refused_here(call, {text});
    };
    const auto other = core::make_fake_device({});
    const auto far = other->queue("far");
    refused([&] { transform.set_stream(core::fake_stream(*far)); }, "not belong to device fake");
    int no_stream = 0;
    refused([&] { transform.set_stream(&no_stream); }, "not belong to device fake");
    refused([&] { transform.set_stream(nullptr); }, "not belong to device fake");
    void* gone = nullptr;
    {
        const Stream stream;
        gone = stream.handle();
    }
    refused([&] { transform.set_stream(gone); }, "not belong to device fake");
    Stream stream;
    Transform host = plan_of("space=host").bind();
    refused([&] { host.set_stream(stream.handle()); }, "computed on the host");
    stream.hold();
    transform.set_stream(stream.handle());
    transform.start_forward();
    refused([&] { transform.set_stream(stream.handle()); }, "is started already");
    refused([&] { transform.unset_stream(); }, "is started already");
    stream.go();
    transform.wait();
    ends.fetch(plan);
    expect_near(ends.out, spectrum_of(plan));
}

}  // namespace
}  // namespace weft::test
