// The libFuzzer program for the fuzz target `answers`, which is defined in Targets/.
import FuzzDriver
import FuzzTargets

fuzz(.answers)
