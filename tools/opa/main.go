// Open Policy Agent, unchanged, as a program: the peer beside which judging is measured (backend/bench/rules). Nothing ships it.
package main

import (
	"os"

	"github.com/open-policy-agent/opa/cmd"
)

func main() {
	if err := cmd.RootCommand.Execute(); err != nil {
		os.Exit(1)
	}
}
