// Reads a Grafana dashboard strictly, by the types that Grafana publishes of its dashboards, panels and queries: says what they do not know,
// what is missing and what is out of bounds, and then ends with 1.
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	if len(os.Args) != 2 {
		fail("usage: plumbline-dashboard FILE")
	}
	raw, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	// Without them the options of panels and the queries of data sources are not looked at.
	plugins.RegisterDefaultPlugins()
	var read dashboard.Dashboard
	// An empty list of errors is no error.
	if err := read.UnmarshalJSONStrict(raw); err != nil && err.Error() != "" {
		fail(err)
	}
	if err := read.Validate(); err != nil {
		fail(err)
	}
}

func fail(what any) {
	fmt.Fprintln(os.Stderr, what)
	os.Exit(1)
}
