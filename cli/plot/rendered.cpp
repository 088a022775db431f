#include "plot/rendered.hpp"

#include "weft/error.hpp"

#ifdef WEFT_WITH_RSVG
#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#endif

namespace weft::cli {

#ifdef WEFT_WITH_RSVG

namespace {

struct Release {
    void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Release>;

[[noreturn]] void fail(const std::string& why) {
    throw Error(ErrorCode::system, "the picture could not be drawn: " + why);
}

void require(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) fail(cairo_status_to_string(status));
}

/// A picture as librsvg has read it, and its size.
struct Picture {
    Owned<RsvgHandle> handle;
    double width = 0;
    double height = 0;
};

Picture read(const std::string& svg) {
    GError* error = nullptr;
    Picture picture;
    picture.handle.reset(
        rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    if (picture.handle == nullptr) {
        const std::string why = error == nullptr ? "it is no SVG" : error->message;
        g_clear_error(&error);
        fail(why);
    }
    if (rsvg_handle_get_intrinsic_size_in_pixels(picture.handle.get(), &picture.width,
                                                 &picture.height) == 0) {
        fail("it has no size");
    }
    return picture;
}

/// Draws it with so many pixels or points for a unit.
void draw(const Picture& picture, cairo_surface_t* surface, double scale) {
    const Owned<cairo_t> context(cairo_create(surface));
    cairo_scale(context.get(), scale, scale);
    const RsvgRectangle area = {0, 0, picture.width, picture.height};
    GError* error = nullptr;
    if (rsvg_handle_render_document(picture.handle.get(), context.get(), &area, &error) == 0) {
        const std::string why = error == nullptr ? "librsvg failed" : error->message;
        g_clear_error(&error);
        fail(why);
    }
    require(cairo_status(context.get()));
}

/// cairo hands a file over in pieces. Nothing may be thrown through it.
cairo_status_t append(void* to, const unsigned char* data, unsigned int size) {
    try {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
        return CAIRO_STATUS_SUCCESS;
    } catch (...) {
        return CAIRO_STATUS_NO_MEMORY;
    }
}

}  // namespace

std::string rendered_png(const std::string& svg) {
    constexpr double scale = 2;
    const Picture picture = read(svg);
    const auto pixels = [](double length) { return static_cast<int>(std::ceil(scale * length)); };
    const Owned<cairo_surface_t> surface(cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, pixels(picture.width), pixels(picture.height)));
    require(cairo_surface_status(surface.get()));
    draw(picture, surface.get(), scale);
    std::string bytes;
    require(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
    return bytes;
}

std::string rendered_pdf(const std::string& svg) {
    constexpr double points = 0.75;  // of a pixel: 72 and 96 are an inch
    const Picture picture = read(svg);
    std::string bytes;
    const Owned<cairo_surface_t> surface(cairo_pdf_surface_create_for_stream(
        append, &bytes, points * picture.width, points * picture.height));
    require(cairo_surface_status(surface.get()));
    draw(picture, surface.get(), points);
    cairo_surface_finish(surface.get());
    require(cairo_surface_status(surface.get()));
    return bytes;
}

#else

namespace {

[[noreturn]] void refuse() {
    throw Error(ErrorCode::not_available, "built without librsvg, pictures are .svg only");
}

}  // namespace

std::string rendered_png(const std::string& /*svg*/) { refuse(); }
std::string rendered_pdf(const std::string& /*svg*/) { refuse(); }

#endif

}  // namespace weft::cli
