"""Communication between processes: `mpi` carries collectives over MPI, `serving` is the thread that does so."""
