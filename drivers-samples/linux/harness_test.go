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

// TestReached: the functions of a driver, and those that a text mentions.
func TestReached(t *testing.T) {
	functions := functionsOf(plain(driver))
	if len(functions) != 6 {
		t.Errorf("functions: %v", functions)
	}
	if r := reached("level_show(0);", functions); !r["level_show"] || !r["lamp_set"] || !r["lamp_check"] || r["lamp_irq"] {
		t.Errorf("reached from level_show: %v", r)
	}
}

// TestChecked: a check after each call.
func TestChecked(t *testing.T) {
	h := "int main(void)\n{\n\twhile (n()) {\n\t\tcase 0:\n\t\t\tif (x)\n\t\t\t\tbreak;\n\t\t\tf();\n\t\t\tbreak;\n\t}\n\tg();\n\treturn 0;\n}\n"
	want := "int main(void)\n{\n\tc();\n\twhile (n()) {\n\t\tcase 0:\n\t\t\tif (x)\n\t\t\t\tbreak;\n\t\t\tf();\n\t\t\tc();\n\t\t\tbreak;\n\t}\n\tg();\n\tc();\n\treturn 0;\n}\n"
	if got := checked(h, "c();"); got != want {
		t.Errorf("checked:\n%s", got)
	}
}

// TestObjects: the modules of a Makefile that consist of one file.
func TestObjects(t *testing.T) {
	makefile := "obj-$(CONFIG_A) += a.o b.o \\\n c.o\nb-y := b1.o b2.o\nobj-y += always.o\nobj-$(CONFIG_D)\t+= d-core.o\nd-core-objs += x.o\n"
	if got := strings.Join(objects([]byte(makefile)), " "); got != "a c" {
		t.Errorf("objects: %s", got)
	}
}
