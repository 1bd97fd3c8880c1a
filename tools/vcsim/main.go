// A vSphere simulator for the vCenter tests: the inventory that its first argument describes, on a loopback port of the system's choosing.
//
// It prints one line of JSON, {"address", "port", "sha256"}, and runs until its standard input ends.
package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// hostSpec is what a test says of one host of the cluster; everything else is the simulator's own.
type hostSpec struct {
	Name        string            `json:"name"`
	Lockdown    string            `json:"lockdown"`
	Maintenance bool              `json:"maintenance"`
	SSH         *bool             `json:"ssh"`
	Options     map[string]string `json:"options"`
	Address     string            `json:"address"`
}

type inventory struct {
	User     string     `json:"user"`
	Password string     `json:"password"`
	Cluster  string     `json:"cluster"`
	Hosts    []hostSpec `json:"hosts"`
}

func main() {
	var wanted inventory
	if err := json.Unmarshal([]byte(os.Args[1]), &wanted); err != nil {
		log.Fatal(err)
	}
	model := simulator.VPX()
	model.Host, model.Cluster, model.ClusterHost, model.Machine = 0, 1, len(wanted.Hosts), 0
	if err := model.Create(); err != nil {
		log.Fatal(err)
	}
	defer model.Remove()
	describe(model, wanted)
	model.Service.Listen = &url.URL{Host: "127.0.0.1:0", User: url.UserPassword(wanted.User, wanted.Password)}
	model.Service.TLS = new(tls.Config)
	server := model.Service.NewServer()
	defer server.Close()
	digest := sha256.Sum256(server.Certificate().Raw)
	said, _ := json.Marshal(map[string]string{
		"address": server.URL.Hostname(), "port": server.URL.Port(), "sha256": hex.EncodeToString(digest[:]),
	})
	fmt.Println(string(said))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// describe gives the simulated hosts, in the order of their own names, what the test said of them.
func describe(model *simulator.Model, wanted inventory) {
	registry := model.Map()
	cluster := registry.Any("ClusterComputeResource").(*simulator.ClusterComputeResource)
	if wanted.Cluster != "" {
		cluster.Name = wanted.Cluster
	}
	for i, reference := range cluster.Host {
		host := registry.Get(reference).(*simulator.HostSystem)
		spec := wanted.Hosts[i]
		host.Name, host.Summary.Config.Name = spec.Name, spec.Name
		host.Runtime.InMaintenanceMode = spec.Maintenance
		if spec.Lockdown != "" {
			host.Config.LockdownMode = types.HostLockdownMode(spec.Lockdown)
		}
		if spec.SSH != nil {
			setService(host, "TSM-SSH", *spec.SSH)
		}
		if spec.Address != "" {
			for n := range host.Config.Network.Vnic {
				host.Config.Network.Vnic[n].Spec.Ip.IpAddress = spec.Address
			}
		}
		options := registry.Get(*host.ConfigManager.AdvancedOption).(*simulator.OptionManager)
		for key, value := range spec.Options {
			options.Setting = append(options.Setting, &types.OptionValue{Key: key, Value: value})
		}
	}
}

func setService(host *simulator.HostSystem, key string, isRunning bool) {
	for i := range host.Config.Service.Service {
		if host.Config.Service.Service[i].Key == key {
			host.Config.Service.Service[i].Running = isRunning
		}
	}
}
