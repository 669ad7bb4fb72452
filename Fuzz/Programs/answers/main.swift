// What libFuzzer runs for answers; Targets/ has what it does.
import FuzzDriver
import FuzzTargets

fuzz(.answers)
