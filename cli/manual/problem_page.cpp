// The manual page weft-problem(7): the text of problems and plans, from the tables that read it.
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "base/engines.hpp"
#include "exchange/via.hpp"
#include "manual/description.hpp"
#include "manual/tables.hpp"
#include "manual/troff.hpp"
#include "plan/fields.hpp"

namespace weft::cli {

namespace {

std::string item(std::string_view word, std::string_view meaning) {
    return fmt::format(".TP\n\\fB{}\\fR\n{}\n", literal(std::string(word)),
                       literal(std::string(meaning)));
}

std::string items(std::span<const Word> words) {
    std::string text;
    for (const Word& word : words) text += item(word.text, word.meaning);
    return text;
}

/// `axes=AXES`; a word without a value stands alone.
std::string items(std::span<const core::Field> fields) {
    std::string text;
    for (const core::Field& field : fields) {
        const std::string takes =
            field.takes.empty() ? ""
                                : fmt::format("=\\fI{}\\fR", literal(std::string(field.takes)));
        const std::string_view meaning =
            field.summary.empty() ? "the array that a direction reads may serve as its workspace; "
                                    "the command has no option for it"
                                  : field.summary;
        text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", literal(std::string(field.key)), takes,
                            literal(std::string(meaning)));
    }
    return text;
}

std::string paragraph(std::string_view text) {
    return fmt::format(".PP\n{}\n", literal(std::string(text)));
}

std::string problem_section() {
    return paragraph(
               "The first word is KIND:PRECISION:SHAPE[*BATCH]. SHAPE has one to six lengths, as "
               "256x256x256; the last axis is adjacent in memory. BATCH is the number of fields "
               "that one call transforms, as *8. PRECISION is f64 or f32.") +
           ".SS Kinds\n" + items(kind_words) + ".SS Words behind the shape\n" +
           literal(
               "The words stand in any order, each once. An option of the command has the "
               "same name: --even-modes is the word even_modes=.\n") +
           items(core::problem_fields());
}

std::string layouts_section() {
    return paragraph(
               "The words in= and out= take a layout. A layout names the elements of each rank "
               "and, optionally, their order in memory.") +
           items(layout_words) + ".SS In memory, behind a layout\n" + items(memory_words);
}

std::string choice_section() {
    return paragraph(
               "Items are separated by semicolons and stand behind the problem, each once. "
               "ranks=P says how many ranks there are. An option of the command has the name "
               "of an item.") +
           items(core::choice_fields()) +
           paragraph(
               "via[1]= and carrier[1]= apply to redistribution 1 only; redistributions are "
               "counted from 0 in the forward direction.");
}

std::string methods_section() {
    std::string text = paragraph(
        "The item via= takes one of these methods; `weft methods` says which of them can "
        "run here, and docs/references.md names the papers in brackets.");
    for (const core::Method& method : core::methods()) text += item(method.name, method.summary);
    return text;
}

std::string engines_section() {
    std::string text = paragraph("The item engine= takes one of these engines.");
    for (const core::EngineTraits& engine : core::engine_table) {
        text += item(engine.name, engine.summary);
    }
    return text;
}

std::string tiles_section() {
    return paragraph(
               "The item tile= takes default, none or a list in brackets, as (axis:2,T:16,W:2). "
               "Px, Pz, Uy and Uz go with pack=sender and pack=receiver; Fy, Fp, Fu and Fx go with "
               "progress:poll.") +
           items(tile_words);
}

std::string examples_section() {
    std::string text;
    for (const Word& example : problem_examples) {
        text += paragraph(example.meaning) +
                fmt::format(".PP\n.nf\n.RS\n{}\n.RE\n.fi\n", literal(std::string(example.text)));
    }
    return text;
}

}  // namespace

std::string problem_page(const std::string& version) {
    return heading("weft-problem", 7, "Text of problems", version) +
           section("NAME", "weft\\-problem \\- text of problems and plans of weft\n") +
           section("SYNOPSIS",
                   ".nf\n" +
                       literal("KIND:PRECISION:SHAPE[*BATCH] [WORD ...][; ranks=P][; ITEM ...]\n"
                               "redistribute:BYTES:SHAPE[*BATCH] in=LAYOUT out=LAYOUT [WORD ...]"
                               "[; ranks=P][; ITEM ...]\n") +
                       ".fi\n") +
           section("DESCRIPTION",
                   "One line names a problem and how it is solved. The command \\fBweft\\fR(1), "
                   "the libraries for C++, C, Fortran and Python, and bug reports use it.\n" +
                       paragraph("A text that you write is a constraint: weft chooses what the "
                                 "text leaves out. A text that weft prints is complete: reading it "
                                 "gives the same plan.")) +
           section("PROBLEM", problem_section()) + section("LAYOUTS", layouts_section()) +
           section("CHOICE", choice_section()) + section("EXCHANGE METHODS", methods_section()) +
           section("ENGINES", engines_section()) + section("TILES", tiles_section()) +
           section("EXAMPLES", examples_section()) +
           section("SEE ALSO",
                   "\\fBweft\\fR(1), \\fBweft\\-explain\\fR(1), \\fBweft\\-plan\\fR(1), "
                   "\\fBweft\\-methods\\fR(1)\n");
}

}  // namespace weft::cli
