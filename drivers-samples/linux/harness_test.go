package main

import (
	"strings"
	"testing"
)

// driver is a small one, in the style of the kernel.
const driver = `
#include <linux/module.h>
/* static int unused(void)
{
} */
struct lamp {
	int level;
	struct clk_hw hw;
};
#define to_lamp(h) container_of(h, struct lamp, hw)
static void lamp_check (struct lamp *l);
static int lamp_enable(struct clk_hw *hw)
{
	return to_lamp(hw)->level;
}
static const struct clk_ops lamp_ops = { .enable = lamp_enable };
static int
lamp_set (struct lamp *l, int level)
{
#define CHECK(x) \
do { \
	BUG_ON(!(x)); \
} while (0)
	lamp_check(l);
	l->level = level;
	return 0;
}
static void lamp_check(struct lamp *l)
{
}
static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct lamp *l = dev_get_drvdata(dev);

	lamp_set(l, 1);
	return sprintf(buf, "%d (%s)", l->level);
}
static DEVICE_ATTR_RO(level);
static irqreturn_t lamp_irq(int irq, void *data)
{
	struct lamp *l = data;

	return IRQ_HANDLED;
}
static void lamp_shutdown(struct platform_device *pdev, pm_message_t state, void (*done)(int, int), void *data)
{
	request_irq(1, lamp_irq, 0, "lamp {", pdev);
}
static struct platform_driver lamp_driver = {
	.shutdown = lamp_shutdown,
};
`

// TestHarness: the entries of a driver, and their arguments.
func TestHarness(t *testing.T) {
	text := plain(driver)
	functions := functionsOf(text)
	list := entries(text, functions)
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	if got := strings.Join(names, " "); got != "lamp_enable level_show lamp_irq lamp_shutdown" {
		t.Errorf("entries: %s", got)
	}
	if r := reached(list[1:2], functions); !r["lamp_set"] || !r["lamp_check"] || r["lamp_irq"] {
		t.Errorf("reached from level_show: %v", r)
	}
	h := harness(text, list, "check();", []string{"struct device_attribute"})
	for _, want := range []string{
		"lamp_enable(&(*c2bp_object0).hw);",
		"level_show(&(*c2bp_object1), &*(struct device_attribute *)c2bp_memory, (void *)c2bp_memory);",
		"lamp_irq((int)__VERIFIER_nondet_long(), &(*c2bp_object0));",
		"lamp_shutdown(&(*c2bp_object2), *(pm_message_t *)c2bp_memory, 0, (void *)c2bp_memory);",
		"if (!(c2bp_object1 = c2bp_get_c2bp_object1()))",
		"(*c2bp_object2).dev.driver_data = &(*c2bp_object0);",
		"case 3:",
	} {
		if !strings.Contains(h, want) {
			t.Errorf("the harness has no %q:\n%s", want, h)
		}
	}
}

// TestObjects: the modules of a Makefile that consist of one file.
func TestObjects(t *testing.T) {
	makefile := "obj-$(CONFIG_A) += a.o b.o \\\n c.o\nb-y := b1.o b2.o\nobj-y += always.o\nobj-$(CONFIG_D)\t+= d-core.o\nd-core-objs += x.o\n"
	if got := strings.Join(objects([]byte(makefile)), " "); got != "a c" {
		t.Errorf("objects: %s", got)
	}
}
