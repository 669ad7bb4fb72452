// What libFuzzer runs for config; Targets/ has what it does.
import FuzzDriver
import FuzzTargets

fuzz(.config)
