package samples

import (
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
	{"pins", "chrdev-region", "chrdev_region", "left-at-end", // numbers that are kept where there is no class
		"		ret = PTR_ERR(pins_class);\n		goto err_region;", "		return PTR_ERR(pins_class);"},
	{"pins", "mutex", "mutex", "held-at-end", // a lock that is kept where a command is unknown
		"	default:\n		mutex_unlock(&p->lock);\n", "	default:\n"},
	{"pins", "bitops", "bitops", "offset-beyond-size", // a search beyond the last line
		"	if (from > p->lines)\n		return p->lines;\n	n = find", "	n = find"},
}

// TestKernelDrivers: the rules hold for the drivers, and fail with the key of the bug where one is planted.
// An ordinary test plants the three bugs that are found soonest.
func TestKernelDrivers(t *testing.T) {
	t.Parallel()
	soon := map[string]bool{"gfp_atomic": true, "chrdev_region": true, "bitops": true}
	for _, p := range plants {
		if !soon[p.rule] && !testkit.Long() {
			continue
		}
		t.Run(p.driver+"/"+p.rule, func(t *testing.T) {
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
	one := *set
	one.Rules = slices.DeleteFunc(slices.Clone(set.Rules), func(k *syntax.Checked) bool { return k.Name.Text != p.rule })
	r := auditDriver(t, name, text, frontend.Options{IncludePaths: []string{"kernel"}}, harness.Options{}, &one)
	if len(r.Sites) != 1 {
		t.Fatalf("%d rows", len(r.Sites))
	}
	return r.Sites[0]
}

// auditDriver decides the rules of a set for the text of a driver, with the harness that c2bp makes for it.
func auditDriver(t *testing.T, name, text string, fo frontend.Options, how harness.Options, set *syntax.Set) *verdict.Result {
	t.Helper()
	files := []*source.File{source.NewFile(name, []byte(text))}
	h, err := frontend.Harness(t.Context(), files, fo, how)
	if err != nil {
		t.Fatal(err)
	}
	files, fo.Assumed, err = harness.Merge(append(files, source.NewFile(harness.FileName, []byte(h.String()))))
	if err != nil {
		t.Fatal(err)
	}
	fo.Assume = fo.Assume.Harnessed()
	r, err := rules.Audit(t.Context(), files, []*syntax.Set{set}, rules.Options{Frontend: fo, Harnessed: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
