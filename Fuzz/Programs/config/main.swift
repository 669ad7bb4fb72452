// The libFuzzer program for the fuzz target `config`, which is defined in Targets/.
import FuzzDriver
import FuzzTargets

fuzz(.config)
