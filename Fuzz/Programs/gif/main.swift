// What libFuzzer runs for gif; Targets/ has what it does.
import FuzzDriver
import FuzzTargets

fuzz(.gif)
