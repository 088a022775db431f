/* What Fortran's compiler passes for `type(*), dimension(..)`: the type, shape and address of an
 * array, which Fortran itself cannot ask for. */
#include <ISO_Fortran_binding.h>

#include "fortran.h"

void weft_fortran_look_at_array(const CFI_cdesc_t* array, c_view* view);

static int type_of(CFI_type_t type) {
    if (type == CFI_type_float || type == CFI_type_double) return real_elements;
    if (type == CFI_type_float_Complex || type == CFI_type_double_Complex) return complex_elements;
    return type == CFI_type_cptr ? address_elements : other_elements;
}

void weft_fortran_look_at_array(const CFI_cdesc_t* array, c_view* view) {
    view->address = array->base_addr;
    view->type = type_of(array->type);
    view->rank = array->rank;
    view->contiguous = array->rank == 0 || CFI_is_contiguous(array);
    view->bytes = (int64_t)array->elem_len;
    for (int d = 0; d < max_rank; ++d) {
        view->extent[d] = d < array->rank ? array->dim[d].extent : 1;
    }
}
