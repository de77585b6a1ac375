"""The slow readable twin of the Linux block queue, one small file per elevator family.

Plain lists and small classes that state the rules of `../shared/kernels/SPEC.md` ("SPEC" below) as
plainly as possible, and reproduce every recorded vector beside that file. The fast engine is
compared with this twin; whoever wants to know what a kernel does should read it here first.
"""
