/* Blots and made points of the players on roll, read straight from packed words: bgcore.h is all that it needs. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <bgcore.h>

/* Checkers of one side on a slot: 0 off, 1-24 the points in its own numbering, 25 the bar. */
static int checkers(uint64_t lo, uint64_t hi, int slot) {
    return (int)((slot < 16 ? lo >> (4 * slot) : hi >> (4 * (slot - 16))) & 15);
}

static PyObject *count(PyObject *module, PyObject *packed) {
    Py_buffer view;
    const bg_position *rows;
    Py_ssize_t i;
    long long blots = 0, points = 0;
    (void)module;
    if (PyObject_GetBuffer(packed, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return NULL;
    if (view.ndim != 2 || view.shape[1] != 4 || view.itemsize != 8 || (view.format[0] != 'L' && view.format[0] != 'Q')) {
        PyBuffer_Release(&view);
        PyErr_SetString(PyExc_ValueError, "a packed batch is uint64, of shape (n, 4)");
        return NULL;
    }
    rows = (const bg_position *)view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (i = 0; i < view.shape[0]; i++) {
        int slot;
        for (slot = 1; slot <= 24; slot++) {
            int n = checkers(rows[i].own_lo, rows[i].own_hi, slot);
            blots += n == 1;
            points += n > 1;
        }
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&view);
    return Py_BuildValue("LL", blots, points);
}

static PyMethodDef methods[] = {
    {"count", count, METH_O, "Return (blots, made points) of the players on roll, summed over the rows of a packed batch."},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module) {
    return PyModule_AddIntConstant(module, "API_VERSION", BG_API_VERSION); /* what this was compiled against */
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "blots", NULL, 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_blots(void) { return PyModuleDef_Init(&definition); }
