#include "clock/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "clock/rank.hpp"
#include "weft/error.hpp"

namespace weft::core {

Clock::Rank::Rank(Clock& clock, int of, int number, const RankScript& of_rank)
    : Rank(of, number, of_rank, std::make_unique<ClockBackend>(clock, of, *of_rank.script)) {}

Clock::Rank::Rank(int of, int number, RankScript of_rank, std::unique_ptr<ClockBackend> made)
    : one(of),
      rank(number),
      script(std::move(of_rank)),
      exchanges(script.script->exchanges.size()),
      received(script.waves.all.size()),
      uses(script.used.ends.size()),
      backend(made.get()),
      executor(script.script->program, std::move(made)) {
    std::uint32_t sends = 0;
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        exchanges[i].next = exchanges[i].end = sends;
        for (std::uint32_t wave = script.waves.begin_of(i); wave < script.waves.ends[i]; ++wave) {
            sends += script.waves.all[wave].sends;
        }
    }
    int last = 0;
    for (const Operation& operation : script.script->program.operations) {
        last = std::max(last, operation.stage);
    }
    stages.resize(usize(last) + 1);
}

Clock::Clock(const Scripts& scripts, const Folded& folded, const Site& site, int traced)
    : folded_(folded), site_(site), fabric_(site), traced_(traced) {
    for (const int rank : folded.stands) {
        const auto one = static_cast<int>(ranks_.size());
        ranks_.push_back(std::make_unique<Rank>(*this, one, rank, scripts.of(rank)));
    }
    for (int rank = 0; rank < site.ranks; ++rank) {
        Rank& one = *ranks_[usize(folded.class_of[usize(rank)])];
        if (site.half_of(rank) == site.half_of(one.rank)) ++one.in_half;
    }
}

Clock::~Clock() = default;

double Clock::ended(int one) const { return ranks_[usize(one)]->since; }
const std::vector<StagePrice>& Clock::stages(int one) const { return ranks_[usize(one)]->stages; }

void Clock::run() {
    for (const auto& rank : ranks_) {
        rank->executor.start();
        add(0, rank->one);
    }
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        take(event);
    }
    for (const auto& rank : ranks_) {
        if (rank->executor.done()) continue;
        throw Error(
            ErrorCode::system,
            fmt::format("the simulated rank {} waits for ever at operation {} of {}", rank->rank,
                        rank->executor.next(), rank->script.script->program.operations.size()));
    }
}

void Clock::add(double at, int one, What what, int exchange) {
    events_.push({at, sequence_++, what, one, exchange});
}

void Clock::take(const Event& event) {
    if (event.what == What::link) return serve(event.one, event.at);
    if (event.what == What::packet) return send_packet(event.one, event.at);
    Rank& rank = *ranks_[usize(event.one)];
    if (event.what == What::rank) return go_on(rank, event.at);
    if (event.what == What::wave) {
        begin_wave(rank, event.exchange, event.at);
        return look(rank, event.at);
    }
    Rank::Exchange& exchange = rank.exchanges[usize(event.exchange)];
    exchange.left = std::max(exchange.left, event.at);
    set_off(sent(rank, event.exchange, exchange.next++), event.at);
    schedule(rank, event.exchange);
}

void Clock::go_on(Rank& rank, double now) {
    ClockBackend& backend = *rank.backend;
    if (now < backend.now) return;  // It is busy, and goes on when it is not.
    backend.now = now;
    while (!rank.executor.done()) {
        const std::size_t number = rank.executor.next();
        backend.wake.reset();
        if (!rank.executor.advance()) {
            if (backend.wake && *backend.wake != rank.scheduled) {
                rank.scheduled = *backend.wake;
                add(*backend.wake, rank.one);
            }
            return;
        }
        account(rank, number);
        if (backend.now > now) return add(backend.now, rank.one);
    }
}

void Clock::account(Rank& rank, std::size_t number) {
    const Script& script = *rank.script.script;
    const double begin = std::exchange(rank.since, rank.backend->now);
    if (number == script.program.operations.size()) return;
    const Operation& operation = script.program.operations[number];
    StagePrice& stage = rank.stages[usize(operation.stage)];
    const bool exchanges = queue_of(operation.purpose) == Queue::exchange;
    const double seconds =
        exchanges || !script.program.on_device ? rank.since - begin : script.seconds[number];
    (exchanges                           ? stage.exchange
     : operation.purpose == Purpose::hop ? stage.hop
                                         : stage.work) += seconds;
    if (rank.one >= traced_ || rank.since <= begin) return;
    spans_.push_back({rank.rank, static_cast<std::uint32_t>(number), begin, rank.since});
}

double Clock::copy_seconds(const Rank& rank, int exchange, double bytes) const {
    const Machine& machine = site_.machine;
    const ExchangeTraits& traits = rank.script.script->exchanges[usize(exchange)];
    const int ranks = std::min(site_.ranks, machine.ranks_per_node);
    const MessageTime time = message_time(machine, true, bytes, 0, ranks, traits.collective);
    return machine.inside.overhead.value_or(time.latency) + time.transfer;
}

double Clock::begin_wave(Rank& rank, int number, double now) {
    Rank::Exchange& exchange = rank.exchanges[usize(number)];
    const auto wave = rank.script.waves.begin_of(usize(number)) + usize(++exchange.wave);
    exchange.end = exchange.next + rank.script.waves.all[wave].sends;
    exchange.processor = std::max(exchange.processor, now);
    exchange.waves_on = true;
    double busy = exchange.processor;
    double between = 0;
    for (std::uint32_t i = exchange.next; i < exchange.end; ++i) {
        const SentMessage& send = rank.script.sends[i];
        const bool near = site_.same_node(rank.rank, send.peer);
        between += near ? 0 : 1;
        busy += near ? copy_seconds(rank, number, send.bytes)
                     : site_.machine.between.overhead.value_or(0);
    }
    exchange.under_way = between * (site_.computing > 0 ? site_.computing : site_.ranks);
    schedule(rank, number);
    return busy;
}

void Clock::schedule(Rank& rank, int number) {
    Rank::Exchange& exchange = rank.exchanges[usize(number)];
    for (; exchange.next < exchange.end; ++exchange.next) {
        const SentMessage& next = rank.script.sends[exchange.next];
        if (!site_.same_node(rank.rank, next.peer)) {
            exchange.processor += site_.machine.between.overhead.value_or(0);
            add(exchange.processor, rank.one, What::message, number);
            return;
        }
        exchange.processor += copy_seconds(rank, number, next.bytes);
        const Link& link = site_.machine.inside;
        arrive(sent(rank, number, exchange.next),
               exchange.processor + link.latency - link.overhead.value_or(link.latency));
    }
    end_wave_if_through(rank, number);
}

void Clock::set_off(const Sent& sent, double now) {
    Rank& to = *ranks_[usize(sent.to)];
    const bool posted = to.exchanges[usize(sent.exchange)].wave >= static_cast<int>(sent.wave);
    const bool ready = posted && (to.backend->in_mpi || to.script.script->program.assisted);
    if (!sent.is_announced() || ready) return carry(sent, now);
    to.held.push_back(sent);
    ++ranks_[usize(sent.from)]->exchanges[usize(sent.exchange)].held;
}

void Clock::carry(const Sent& sent, double now) {
    Rank& from = *ranks_[usize(sent.from)];
    Rank::Exchange& exchange = from.exchanges[usize(sent.exchange)];
    const ExchangeTraits& traits = from.script.script->exchanges[usize(sent.exchange)];
    const MessageTime time =
        message_time(site_.machine, false, sent.bytes, exchange.under_way, 1, traits.collective);
    const double bytes = congestion(site_.machine, exchange.under_way) * sent.bytes;
    const int packets = std::clamp(static_cast<int>(sent.bytes / least_packet), 1, most_packets);
    const double size = folded_.size[usize(sent.from)];
    Flight packet{from.rank, sent.peer, ranks_[usize(sent.to)]->rank, bytes / packets,
                  time.transfer / packets};
    // Without a known overhead a rank's messages follow each other by the latency.
    const bool overlaps = site_.machine.between.overhead.has_value();
    packet.gap = overlaps ? 0 : time.latency;
    packet.for_receiver = size / folded_.size[usize(sent.to)];
    packet.in_middle = from.in_half;
    if (sent.is_announced()) ++exchange.held;
    send_packet(messages_.add({sent, packet, overlaps ? time.latency : 0, packets, packets, 0}),
                now);
}

void Clock::send_packet(int number, double now) {
    Message& message = messages_[number];
    --message.to_send;
    message.packet.message = number;
    const int packet = fabric_.packets.add(message.packet);
    message.packet.gap = 0;  // It is the message's.
    enter(packet, now);
}

void Clock::enter(int packet, double now) {
    const Fabric::Next next = fabric_.enter(packet, now);
    if (next.link >= 0) add(next.at, next.link, What::link);
    if (!next.there) return;
    const Flight& flight = fabric_.packets[packet];
    const int number = flight.message;
    Message& message = messages_[number];
    message.through = std::max(message.through, flight.through);
    fabric_.packets.remove(packet);
    if (--message.to_arrive == 0) land(number);
}

void Clock::serve(int link, double now) {
    fabric_.serve(link, now, [&](int packet) {
        const Flight& flight = fabric_.packets[packet];
        const int number = flight.message;
        // The next one follows when this one has left the rank.
        if (flight.stage == 1 && messages_[number].to_send > 0) {
            add(flight.set_off, number, What::packet);
        }
        enter(packet, now);
    });
}

void Clock::land(int number) {
    const Message message = messages_[number];
    const Sent& sent = message.sent;
    messages_.remove(number);
    if (sent.is_announced()) {
        Rank& from = *ranks_[usize(sent.from)];
        Rank::Exchange& exchange = from.exchanges[usize(sent.exchange)];
        --exchange.held;
        exchange.left = std::max(exchange.left, message.through);
        end_wave_if_through(from, sent.exchange);
    }
    // The latency has the overhead in it.
    arrive(sent, message.through + message.latency - site_.machine.between.overhead.value_or(0));
}

Clock::Sent Clock::sent(const Rank& rank, int exchange, std::uint32_t number) const {
    const SentMessage& one = rank.script.sends[number];
    const int wave = rank.exchanges[usize(exchange)].wave;
    return {rank.one, folded_.class_of[usize(one.peer)], one.peer,
            exchange, static_cast<std::uint32_t>(wave),  one.bytes};
}

void Clock::arrive(const Sent& sent, double at) {
    sent_messages_ += folded_.size[usize(sent.from)];
    sent_bytes_ += folded_.size[usize(sent.from)] * sent.bytes;
    Rank& to = *ranks_[usize(sent.to)];
    Rank::Received& wave = to.received[to.script.waves.begin_of(usize(sent.exchange)) + sent.wave];
    const double counts =
        static_cast<double>(folded_.size[usize(sent.from)]) / folded_.size[usize(sent.to)];
    wave.count += static_cast<float>(counts);
    wave.last = std::max(wave.last, at);
    if (to.script.script->exchanges[usize(sent.exchange)].arrivals) {
        to.exchanges[usize(sent.exchange)].arrivals.emplace_back(at, counts);
        add(at, to.one);
    }
    end_wave_if_through(to, sent.exchange);
}

void Clock::end_wave_if_through(Rank& rank, int number) {
    Rank::Exchange& exchange = rank.exchanges[usize(number)];
    if (!exchange.waves_on || exchange.next < exchange.end || exchange.held > 0) return;
    const auto wave = rank.script.waves.begin_of(usize(number)) + usize(exchange.wave);
    const Rank::Received& received = rank.received[wave];
    // Counts are sums of fractions where ranks stand for others.
    const auto expected = static_cast<float>(rank.script.waves.all[wave].receives);
    if (received.count < expected * (1 - 1e-4F)) return;
    exchange.waves_on = false;
    const double through = std::max({exchange.processor, exchange.left, received.last});
    if (wave + 1 < rank.script.waves.ends[usize(number)]) {
        add(through, rank.one, What::wave, number);
    } else {
        exchange.complete = through;
        add(through, rank.one);
    }
}

void Clock::look(Rank& rank, double now) {
    if (rank.held.empty()) return;
    std::vector<Sent> held;
    std::swap(held, rank.held);
    for (const Sent& sent : held) {
        if (rank.exchanges[usize(sent.exchange)].wave < static_cast<int>(sent.wave)) {
            rank.held.push_back(sent);
            continue;
        }
        Rank& from = *ranks_[usize(sent.from)];
        --from.exchanges[usize(sent.exchange)].held;
        carry(sent, now);
        end_wave_if_through(from, sent.exchange);
    }
}

void Clock::tell(int number, std::uint32_t use, bool released, double now) {
    Rank& rank = *ranks_[usize(folded_.class_of[usize(number)])];
    const Parts<int>& expected = released ? rank.script.offered : rank.script.used;
    Told& told = released ? rank.uses[use].released : rank.uses[use].published;
    told.last = std::max(told.last, now + site_.machine.inside.latency);
    if (++told.count == expected.ends[use] - expected.begin_of(use)) add(told.last, rank.one);
}

}  // namespace weft::core
