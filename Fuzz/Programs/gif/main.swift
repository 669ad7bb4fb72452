// The libFuzzer program for the fuzz target `gif`, which is defined in Targets/.
import FuzzDriver
import FuzzTargets

fuzz(.gif)
