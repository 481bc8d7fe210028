
def prog(log):
    def items(x):
        try:
            yield x
            yield x*2
        except* ValueError:
            pass
        finally:
            log.append("fin")
    def f(x):
        it=items(x); a=next(it); log.append("body"); return a
    return f
