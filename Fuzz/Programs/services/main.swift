// The libFuzzer program for the fuzz target `services`, which is defined in Targets/.
import FuzzDriver
import FuzzTargets

fuzz(.services)
