// The libFuzzer program for the fuzz target `keys`, which is defined in Targets/.
import FuzzDriver
import FuzzTargets

fuzz(.keys)
