// What libFuzzer runs for services; Targets/ has what it does.
import FuzzDriver
import FuzzTargets

fuzz(.services)
