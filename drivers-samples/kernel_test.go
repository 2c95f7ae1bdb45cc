package samples

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/library"
	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
	"c2bp/refine/rules"
	"c2bp/source"
	"c2bp/verdict"
)

// This file audits the drivers in the directory kernel by rules: they keep to each, and with a bug planted
// they do not.

// plant is a bug: in the driver, the text old becomes new, and the rule fails with the key.
type plant struct{ driver, folder, rule, key, old, new string }

var plants = []plant{
	{"adc", "spinlock", "spinlock", "held-at-end", // a lock that is kept on an error path
		"		adc_write(adc, ADC_CTRL, 0);\n		spin_unlock(&adc->lock);\n", "		adc_write(adc, ADC_CTRL, 0);\n"},
	{"adc", "mutex", "mutex", "double-unlock", // one release too many
		"	if (ret < 0)\n		goto out;\n	ret = clk_set_rate", "	if (ret < 0) {\n		mutex_unlock(&adc->settings);\n		goto out;\n	}\n	ret = clk_set_rate"},
	{"adc", "gfp-atomic", "gfp_atomic", "sleeping-allocation", // an allocation that sleeps under a lock
		"GFP_ATOMIC);\n	if (!fresh)", "GFP_KERNEL);\n	if (!fresh)"},
	{"adc", "clk", "clk", "enabled-at-end", // a clock that is left on where the rate is refused
		"err_clock:\n	clk_disable_unprepare(adc->clk);\nerr_power:", "err_clock:\nerr_power:"},
	{"adc", "pm-runtime", "pm_runtime", "left-at-end", // a use that is left where the clock does not start
		"err_power:\n	pm_runtime_put(adc->dev);\n	return ret;", "err_power:\n	return ret;"},
	{"adc", "probe", "irqs", "left-at-end", // an interrupt that is not freed on the error path
		"	pm_runtime_disable(adc->dev);\n	free_irq(adc->irq, adc);\nerr_ring:", "	pm_runtime_disable(adc->dev);\nerr_ring:"},
	{"adc", "probe", "regions", "left-at-end", // a region that is kept where it cannot be mapped
		"		ret = -ENOMEM;\n		goto err_region;", "		ret = -ENOMEM;\n		goto err_free;"},
	{"adc", "interface", "platform_driver", "left-at-end", // a driver that stays registered
		"	platform_driver_unregister(&adc_driver);\n", ""},
	{"pins", "chrdev-region", "chrdev_region", "left-at-end", // numbers that are kept where there is no class
		"		ret = PTR_ERR(pins_class);\n		goto err_region;", "		return PTR_ERR(pins_class);"},
	{"pins", "mutex", "mutex", "held-at-end", // a lock that is kept where a command is unknown
		"	default:\n		mutex_unlock(&p->lock);\n", "	default:\n"},
	{"pins", "bitops", "bitops", "offset-beyond-size", // a search beyond the last line
		"	if (from > p->lines)\n		return p->lines;\n	n = find", "	n = find"},
	{"meter", "usb-urb", "usb_urb", "left-at-end", // a block that is lost where it is refused
		"	if (ret < 0)\n		goto out_urb;\n	if (!wait", "	if (ret < 0)\n		goto out_packet;\n	if (!wait"},
	{"meter", "usb-urb", "usb_urb", "double-free", // a block that is freed where time is out, and at the end
		"		usb_kill_urb(u);\n", "		usb_kill_urb(u);\n		usb_free_urb(u);\n"},
	{"meter", "usb-urb", "usb_urb", "double-free", // a block that is freed by its callback, too
		"	if (done)\n		complete(done);", "	usb_free_urb(u);\n	if (done)\n		complete(done);"},
	{"meter", "module-refs", "module_refs", "left-at-end", // a reference that is kept where there is no memory
		"	if (!packet) {\n		ret = -ENOMEM;\n		goto out_module;\n	}", "	if (!packet)\n		return -ENOMEM;"},
	{"meter", "class", "class_creation", "left-at-end", // a class that is kept where the driver is not registered
		"err_class:\n	class_destroy(meter_class);\n", "err_class:\n"},
	{"meter", "rwlock", "rwlock", "written-at-end", // a lock that is kept where there is no meter
		"	if (!m) {\n		write_unlock(&table_lock);\n", "	if (!m) {\n"},
	{"meter", "rcu-read", "rcu_read", "left-at-end", // a section that goes on where the weight is too small
		"	if (raw < c->offset) {\n		rcu_read_unlock();\n", "	if (raw < c->offset) {\n"},
	{"meter", "interface", "usb_interface", "left-at-end", // an interface that stays when the device goes
		"	usb_deregister_dev(i, &meter_files);\n", ""},
	{"vault", "block-request", "blk_request", "left-at-end", // a request that is lost where it fails
		"		blk_put_request(r);\n		goto out;", "		goto out;"},
	{"vault", "block-request", "blk_request", "double-destroy", // a request that is put back before it has failed
		"	ret = r->length == length ? 0 : -EIO;\n", "	ret = r->length == length ? 0 : -EIO;\n	if (ret < 0)\n		blk_put_request(r);\n"},
	{"vault", "block-request", "blk_queue", "left-at-end", // a queue that is kept where there is no device for control
		"		goto err_queue;", "		goto err_chrdev;"},
	{"vault", "class", "class_registration", "left-at-end", // a class that is kept on the error path
		"	class_unregister(&vault_class);\nerr_memory:", "err_memory:"},
	{"vault", "interface", "misc_device", "left-at-end", // a device for control that is kept on the error path
		"	misc_deregister(&control);\nerr_queue:", "err_queue:"},
	{"vault", "chrdev-region", "chrdev", "left-at-end", // numbers that are kept where there is no queue
		"		goto err_chrdev;", "		goto err_class;"},
	{"vault", "probe", "mappings", "left-at-end", // memory that stays mapped where there is no class
		"		goto err_memory;", "		goto err_limits;"},
	{"vault", "rwlock", "rwlock", "read-at-end", // a lock that is kept where nothing is replaced
		"	to->replaced = replaced;\n	read_unlock", "	to->replaced = replaced;\n	if (!replaced)\n		return;\n	read_unlock"},
	{"vault", "rcu-read", "rcu_read_bh", "left-at-end", // a section that goes on where the limit is passed
		"		ret = -EINVAL;\n	rcu_read_unlock_bh", "		return -EINVAL;\n	rcu_read_unlock_bh"},
	{"vault", "rcu-read", "rcu_read_sched", "left-at-end", // a section that the result leaves
		"		writes = limits->writes;\n", "		return limits->writes;\n"},
	{"vault", "module-refs", "module_refs", "below-start", // a reference that is given back twice
		"	module_put(THIS_MODULE);\n", "	module_put(THIS_MODULE);\n	module_put(THIS_MODULE);\n"},
	{"nic", "spinlock", "spinlock", "held-at-end", // a lock that is kept where there are too many errors
		"			nic_write(nic, NIC_CTRL, 0);\n			spin_unlock(&nic->lock);\n", "			nic_write(nic, NIC_CTRL, 0);\n"},
	{"nic", "spinlock", "spinlock", "double-unlock", // one release too many in the poll
		"		netif_wake_queue(nic->ndev);\n	}\n", "		spin_unlock(&nic->lock);\n		netif_wake_queue(nic->ndev);\n	}\n"},
	{"nic", "mutex", "mutex", "held-at-end", // a lock that is kept where the size stays
		"	if (ndev->mtu == (unsigned)mtu) {\n		mutex_unlock(&nic->settings);\n", "	if (ndev->mtu == (unsigned)mtu) {\n"},
	{"nic", "mutex", "mutex", "double-unlock", // a lock that is released though a signal came first
		"	if (ret) {\n		kfree(fresh);\n", "	if (ret) {\n		mutex_unlock(&nic->settings);\n		kfree(fresh);\n"},
	{"nic", "gfp-atomic", "gfp_atomic", "sleeping-call", // a mutex under the lock of the ring
		"	ring_clear(nic);\n	nic_write(nic, NIC_CTRL, CTRL_RX | CTRL_TX);\n	spin_unlock", "	ring_clear(nic);\n	mutex_lock(&nic->settings);\n	mutex_unlock(&nic->settings);\n	spin_unlock"},
	{"nic", "clk", "clk", "enabled-at-end", // a clock that is left on where the time is out
		"	if (ret < 0)\n		goto out;\n	if (*value == 0)", "	if (ret < 0)\n		return ret;\n	if (*value == 0)"},
	{"nic", "pm-runtime", "pm_runtime", "left-at-end", // a use that is left where the link cannot be read
		"	ret = nic_phy_read(nic, clk, 1, &value);\n	if (ret < 0)\n		goto out;", "	ret = nic_phy_read(nic, clk, 1, &value);\n	if (ret < 0)\n		return ret;"},
	{"nic", "rcu-read", "rcu_read", "left-at-end", // a section that goes on where there is no filter
		"	if (!filter) {\n		rcu_read_unlock();\n", "	if (!filter) {\n"},
	{"nic", "module-refs", "module_refs", "left-at-end", // a reference that is kept where there is no link
		"	ret = nic_link(nic, nic->parent);\n	if (ret < 0)\n		goto err_module;", "	ret = nic_link(nic, nic->parent);\n	if (ret < 0)\n		return ret;"},
	{"nic", "module-refs", "module_refs", "below-start", // a reference that is given back when sending stops, too
		"	ndev->stats.tx_packets++;\n", "	ndev->stats.tx_packets++;\n	module_put(THIS_MODULE);\n"},
	{"nic", "probe", "irqs", "left-at-end", // an interrupt that stays where the card has failed
		"err_irq:\n	free_irq(nic->irq, nic);\n", "err_irq:\n"},
	{"nic", "probe", "irqs", "left-at-end", // an interrupt that stays when the card goes down
		"	nic_write(nic, NIC_CTRL, 0);\n	free_irq(nic->irq, nic);\n", "	nic_write(nic, NIC_CTRL, 0);\n"},
	{"nic", "probe", "regions", "left-at-end", // a region that is kept where there is no clock
		"	iounmap(nic->base);\nerr_region:", "	iounmap(nic->base);\n	goto err_free;\nerr_region:"},
	{"nic", "interface", "net_device", "left-at-end", // a network device that stays when the card goes
		"	unregister_netdev(ndev);\n", ""},
	{"nic", "interface", "platform_driver", "left-at-end", // a driver that stays registered
		"	platform_driver_unregister(&nic_driver);\n", ""},
	{"keys", "spinlock", "spinlock", "held-at-end", // a lock that is kept where nothing moves
		"	if (!keys->moving) {\n		spin_unlock(&keys->lock);\n", "	if (!keys->moving) {\n"},
	{"keys", "mutex", "mutex", "held-at-end", // a lock that is kept where nobody uses the pad
		"	if (keys->users == 0) {\n		mutex_unlock(&keys->settings);\n", "	if (keys->users == 0) {\n"},
	{"keys", "mutex", "mutex", "double-unlock", // one release too many
		"	keys->users++;\n", "	keys->users++;\n	mutex_unlock(&keys->settings);\n"},
	{"keys", "gfp-atomic", "gfp_atomic", "sleeping-call", // work that is waited for under the lock
		"	keys_write(keys, KEYS_CTRL, 0);\n	spin_unlock_irq(&keys->lock);\n	del_timer_sync(&keys->timer);\n	cancel_work_sync(&keys->work);\n",
		"	keys_write(keys, KEYS_CTRL, 0);\n	cancel_work_sync(&keys->work);\n	spin_unlock_irq(&keys->lock);\n	del_timer_sync(&keys->timer);\n"},
	{"keys", "rwlock", "rwlock", "written-at-end", // a lock that is kept where nothing was counted
		"	if (counts.total == 0)\n		goto out;\n", "	if (counts.total == 0)\n		return 0;\n"},
	{"keys", "rwlock", "rwlock", "read-at-end", // a lock that readers keep
		"	if (counts.total == 0) {\n			read_unlock(&counts_lock);\n", "	if (counts.total == 0) {\n"},
	{"keys", "bitops", "bitops", "offset-beyond-size", // a search beyond the last key
		"	if (from > KEYS)\n		return KEYS;\n	return find_next_bit(&state, KEYS, from);", "	return find_next_bit(&state, KEYS, from + 1);"},
	{"keys", "clk", "clk", "enabled-at-end", // a clock that is left on where a row does not answer
		"		ret = keys_read_row(keys, row, &value);\n		if (ret < 0)\n			goto out;", "		ret = keys_read_row(keys, row, &value);\n		if (ret < 0)\n			return ret;"},
	{"keys", "pm-runtime", "pm_runtime", "left-at-end", // a use that is left where nobody uses the pad
		"		mutex_unlock(&keys->settings);\n		goto out;", "		mutex_unlock(&keys->settings);\n		return;"},
	{"keys", "module-refs", "module_refs", "left-at-end", // a reference that is kept when the pad is closed
		"	mutex_unlock(&keys->settings);\n	module_put(THIS_MODULE);\n", "	mutex_unlock(&keys->settings);\n"},
	{"keys", "probe", "irqs", "left-at-end", // an interrupt that stays where the input device is refused
		"err_irq:\n	free_irq(keys->irq, keys);\n", "err_irq:\n"},
	{"keys", "probe", "regions", "left-at-end", // a region that is kept where it cannot be mapped
		"		ret = -ENOMEM;\n		goto err_region;", "		ret = -ENOMEM;\n		goto err_free;"},
	{"keys", "interface", "misc_device", "left-at-end", // a file that stays where the driver is refused
		"	if (ret)\n		misc_deregister(&keys_misc);\n	return ret;\n", "	return ret;\n"},
	{"keys", "interface", "platform_driver", "left-at-end", // a driver that stays registered
		"	platform_driver_unregister(&keys_driver);\n", ""},
}

// TestKernelDrivers: the rules hold for the drivers, and fail with the key of the bug where one is planted.
// An ordinary test plants a few of the bugs that are found soonest.
func TestKernelDrivers(t *testing.T) {
	t.Parallel()
	soon := map[string]bool{"adc/gfp_atomic": true, "pins/chrdev_region": true, "pins/bitops": true, "meter/rcu_read": true, "vault/blk_queue": true, "nic/rcu_read": true, "keys/rwlock": true}
	for _, p := range plants {
		if !soon[p.driver+"/"+p.rule] && !testkit.Long() {
			continue
		}
		t.Run(p.driver+"/"+p.rule+"/"+p.key, func(t *testing.T) {
			name := filepath.Join("kernel", p.driver, "safe.c")
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(text), p.old) != 1 {
				t.Fatalf("%s has not one place for the bug", name)
			}
			if s := ruleOfDriver(t, p, name, string(text)); s.Status() != "holds" {
				t.Errorf("without a bug it %s: %s%s", s.Status(), s.Key, s.Reason)
			}
			if s := ruleOfDriver(t, p, name, strings.Replace(string(text), p.old, p.new, 1)); s.Status() != "fails" || s.Key != p.key {
				t.Errorf("with a bug it %s: %s%s, want %s", s.Status(), s.Key, s.Reason, p.key)
			}
		})
	}
}

// ruleOfDriver returns the row of a rule for the text of a driver.
func ruleOfDriver(t *testing.T, p plant, name, text string) verdict.Site {
	t.Helper()
	set, err := library.Builtin().Rule(p.folder)
	if err != nil {
		t.Fatal(err)
	}
	one := only(set, p.rule)
	r := auditDriver(t, name, text, frontend.Options{IncludePaths: []string{"kernel"}}, harness.Options{}, rules.Options{}, one)
	if len(r.Sites) != 1 {
		t.Fatalf("%d rows", len(r.Sites))
	}
	return r.Sites[0]
}

// only returns set with one of its rules.
func only(set *syntax.Set, rule string) *syntax.Set {
	one := *set
	one.Rules = slices.DeleteFunc(slices.Clone(set.Rules), func(k *syntax.Checked) bool { return k.Name.Text != rule })
	return &one
}

// auditDriver decides the rules of a set for the text of a driver, with the harness that c2bp makes for it.
func auditDriver(t testing.TB, name, text string, fo frontend.Options, how harness.Options, opts rules.Options, set *syntax.Set) *verdict.Result {
	t.Helper()
	files := []*source.File{source.NewFile(name, []byte(text))}
	ctx := context.Background()
	files, fo, err := frontend.WithHarness(ctx, files, fo, how)
	if err != nil {
		t.Fatal(err)
	}
	opts.Frontend, opts.Harnessed = fo, true
	r, err := rules.Audit(ctx, files, []*syntax.Set{set}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
