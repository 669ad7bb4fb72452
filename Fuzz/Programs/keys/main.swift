// What libFuzzer runs for keys; Targets/ has what it does.
import FuzzDriver
import FuzzTargets

fuzz(.keys)
