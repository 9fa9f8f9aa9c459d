-- Bindings are records of the pool. Nothing read these rows except their own mending.
drop table binding;
