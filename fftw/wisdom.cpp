#include "wisdom.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "settings.hpp"
#include "weft/wisdom.hpp"

namespace weft::fftw {

namespace {

constexpr int tag = 0;

std::string receive(int from, MPI_Comm comm) {
    MPI_Status status;
    MPI_Probe(from, tag, comm, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string text(static_cast<std::size_t>(size), '\0');
    MPI_Recv(text.data(), size, MPI_CHAR, from, tag, comm, MPI_STATUS_IGNORE);
    return text;
}

/// Messages of wisdom travel on a communicator of their own, apart from the program's.
class Duplicate {
  public:
    explicit Duplicate(MPI_Comm comm) {
        MPI_Comm_dup(comm, &comm_);
        MPI_Comm_rank(comm_, &rank);
        MPI_Comm_size(comm_, &ranks);
    }
    ~Duplicate() { MPI_Comm_free(&comm_); }
    Duplicate(const Duplicate&) = delete;
    Duplicate& operator=(const Duplicate&) = delete;
    [[nodiscard]] MPI_Comm get() const { return comm_; }

    int rank = 0;
    int ranks = 1;

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// As much as one MPI message can count, whole lines of it.
std::string sendable() {
    constexpr std::size_t most = 1 << 30;
    std::string text = export_wisdom();
    if (text.size() > most) text.resize(text.rfind('\n', most) + 1);
    return text;
}

/// weft's lines lie beside FFTW's file, whose format stays FFTW's.
std::string beside(const char* file) { return std::string(file) + ".weft"; }

}  // namespace

std::string export_wisdom() {
    if (settings().mode == Mode::off) return "";
    try {
        return wisdom::export_text();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: wisdom was not exported: %s\n", error.what());
        return "";
    }
}

void import_wisdom(const std::string& text) {
    if (settings().mode == Mode::off) return;
    try {
        wisdom::import_text(text);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "weft: wisdom was not imported: %s\n", error.what());
    }
}

std::string behind_fftw(std::string fftw, const std::string& text) {
    if (text.empty()) return fftw;
    // FFTW's reader ends at the parenthesis that closes its list.
    return std::move(fftw) + "\n" + text;
}

std::string weft_part(const std::string& text) {
    // An entry is a JSON object, and FFTW's list has no brace.
    const std::size_t begin = text.find('{');
    return begin == std::string::npos ? "" : text.substr(begin);
}

void export_wisdom_beside(const char* file) {
    const std::string text = export_wisdom();
    const std::string path = beside(file);
    // Nothing is known: no file, and none that still says otherwise.
    if (text.empty() && !std::ifstream(path)) return;
    if (settings().mode == Mode::off) return;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    if (!out.flush()) std::fprintf(stderr, "weft: %s could not be written\n", path.c_str());
}

void import_wisdom_beside(const char* file) {
    const std::ifstream in(beside(file), std::ios::binary);
    if (!in) return;
    std::ostringstream text;
    text << in.rdbuf();
    import_wisdom(text.str());
}

void gather_wisdom(MPI_Comm comm) {
    if (settings().mode == Mode::off) return;
    const Duplicate own(comm);
    if (own.rank != 0) {
        const std::string text = sendable();
        MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, tag, own.get());
        return;
    }
    for (int rank = 1; rank < own.ranks; ++rank) import_wisdom(receive(rank, own.get()));
}

void broadcast_wisdom(MPI_Comm comm) {
    if (settings().mode == Mode::off) return;
    const Duplicate own(comm);
    std::string text = own.rank == 0 ? sendable() : "";
    auto size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, own.get());
    text.resize(static_cast<std::size_t>(size));
    MPI_Bcast(text.data(), size, MPI_CHAR, 0, own.get());
    if (own.rank != 0) import_wisdom(text);
}

}  // namespace weft::fftw
