package rules

import (
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
)

// TestFresh: a driver that registers the network device of each of its devices keeps to the rule about that: the kernel
// gives no object twice. One that forgets a device does not, nor one that registers it twice.
func TestFresh(t *testing.T) {
	t.Parallel()
	const text = `
struct net_device { int mtu; };
struct device { void *driver_data; };
struct platform_driver { int (*probe)(struct device *); int (*remove)(struct device *); };
extern struct net_device *alloc_etherdev(int size);
extern void free_netdev(struct net_device *d), unregister_netdev(struct net_device *d);
extern int register_netdev(struct net_device *d), reg(struct platform_driver *d);
static int probe(struct device *d)
{
	struct net_device *n = alloc_etherdev(8);
	if (!n)
		return -12;
	if (register_netdev(n) < 0) {
		free_netdev(n);
		return -5;
	}
	d->driver_data = n;
	return 0;
}
static int remove(struct device *d)
{
	struct net_device *n = d->driver_data;
	unregister_netdev(n);
	free_netdev(n);
	return 0;
}
static struct platform_driver driver = { probe, remove };
int init_module(void) { return reg(&driver); }
`
	for want, change := range map[string][2]string{
		"net_device holds":                   {},
		"net_device fails left-at-end":       {"	unregister_netdev(n);\n", ""},
		"net_device fails double-register":   {"	d->driver_data = n;\n", "	register_netdev(n);\n"},
		"net_device fails double-unregister": {"	free_netdev(n);\n	return 0;", "	unregister_netdev(n);\n	free_netdev(n);\n	return 0;"},
	} {
		file := "# 1 \"kernel.h\"\n" + strings.Replace(strings.Replace(text, change[0], change[1], 1), "static int probe", "# 1 \"in.c\"\nstatic int probe", 1)
		set := mustRule(t, "interface")
		only := *set
		only.Rules = slices.DeleteFunc(slices.Clone(set.Rules), func(k *syntax.Checked) bool { return k.Name.Text != "net_device" })
		checkHarnessed(t, file, &only, want)
	}
}

// TestMade: for each kind of tables whose functions get back what others of them have made, a driver that gives back
// what it has taken keeps to the rule about references to modules, and one that gives it back twice, or not, does not.
func TestMade(t *testing.T) {
	t.Parallel()
	const head = `
#define NULL ((void *)0)
struct module; extern struct module __this_module;
extern int try_module_get(struct module *); extern void module_put(struct module *);
extern void *kzalloc(unsigned long n, unsigned flags); extern void kfree(const void *);
extern int reg(const void *);
`
	for i, c := range []struct{ name, text string }{
		{"a member of the result", `
struct config_item { int users; };
struct config_group { int n; struct config_item cg_item; };
struct configfs_group_operations {
	struct config_group *(*make_group)(struct config_group *, const char *);
	void (*drop_item)(struct config_group *, struct config_item *);
};
struct box { struct config_group group; int n; };
static struct config_group *box_make(struct config_group *parent, const char *name)
{
	struct box *b = kzalloc(sizeof *b, 0xcc0);
	if (!b)
		return (void *)-12;
	if (!try_module_get(&__this_module)) {
		kfree(b);
		return (void *)-19;
	}
	return &b->group;
}
static void box_drop(struct config_group *parent, struct config_item *item)
{
	struct box *b = (struct box *)((char *)item - __builtin_offsetof(struct box, group.cg_item));
	module_put(&__this_module);
	kfree(b);
}
static const struct configfs_group_operations ops = { .make_group = box_make, .drop_item = box_drop };
`},
		{"a pointer to void", `
struct vb2_buffer;
struct vb2_mem_ops { void *(*alloc)(struct vb2_buffer *, unsigned long); void (*put)(void *); };
struct buf { int n; };
static void *buf_alloc(struct vb2_buffer *v, unsigned long size)
{
	struct buf *b = kzalloc(sizeof *b, 0xcc0);
	if (!b)
		return NULL;
	if (!try_module_get(&__this_module)) {
		kfree(b);
		return NULL;
	}
	return b;
}
static void buf_put(void *p)
{
	struct buf *b = p;
	module_put(&__this_module);
	kfree(b);
}
static const struct vb2_mem_ops ops = { buf_alloc, buf_put };
`},
		{"a request", `
struct usb_ep; struct usb_request { int length; };
struct usb_ep_ops { struct usb_request *(*alloc_request)(struct usb_ep *, unsigned); void (*free_request)(struct usb_ep *, struct usb_request *); };
struct req { struct usb_request req; int n; };
static struct usb_request *ep_alloc(struct usb_ep *ep, unsigned gfp)
{
	struct req *r = kzalloc(sizeof *r, gfp);
	if (!r)
		return NULL;
	if (!try_module_get(&__this_module)) {
		kfree(r);
		return NULL;
	}
	return &r->req;
}
static void ep_free(struct usb_ep *ep, struct usb_request *u)
{
	struct req *r = (struct req *)u;
	module_put(&__this_module);
	kfree(r);
}
static const struct usb_ep_ops ops = { ep_alloc, ep_free };
`},
		{"another table", `
struct iommu_domain { int kind; };
struct iommu_domain_ops { void (*free)(struct iommu_domain *); };
struct iommu_ops { struct iommu_domain *(*domain_alloc)(unsigned); const struct iommu_domain_ops *default_domain_ops; };
struct dom { struct iommu_domain d; int n; };
static struct iommu_domain *dom_alloc(unsigned kind)
{
	struct dom *d;
	if (kind > 2)
		return NULL;
	d = kzalloc(sizeof *d, 0xcc0);
	if (!d)
		return NULL;
	if (!try_module_get(&__this_module)) {
		kfree(d);
		return NULL;
	}
	return &d->d;
}
static void dom_free(struct iommu_domain *p)
{
	struct dom *d = (struct dom *)p;
	module_put(&__this_module);
	kfree(d);
}
static const struct iommu_domain_ops domains = { dom_free };
static const struct iommu_ops ops = { dom_alloc, &domains };
`},
		{"left where an argument points to", `
struct pinctrl_map { int n; };
struct pinctrl_ops { int (*dt_node_to_map)(int, int, struct pinctrl_map **, unsigned *); void (*dt_free_map)(int, struct pinctrl_map *, unsigned); };
static int pins_map(int dev, int node, struct pinctrl_map **to, unsigned *count)
{
	struct pinctrl_map *m = kzalloc(sizeof *m, 0xcc0);
	if (!m)
		return -12;
	if (!try_module_get(&__this_module)) {
		kfree(m);
		return -19;
	}
	*to = m;
	return 0;
}
static void pins_unmap(int dev, struct pinctrl_map *m, unsigned count)
{
	module_put(&__this_module);
	kfree(m);
}
static const struct pinctrl_ops ops = { pins_map, pins_unmap };
`},
	} {
		// An ordinary test has the first kinds.
		if i >= 2 && !testkit.Long() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const put = "module_put(&__this_module);"
			text := head + c.text + "int init_module(void) { return reg(&ops); }\n"
			for want, replaced := range map[string]string{
				"module_refs holds":             put,
				"module_refs fails below-start": put + put,
				"module_refs fails left-at-end": "",
			} {
				checkHarnessed(t, strings.Replace(text, put, replaced, 1), mustRule(t, "module-refs"), want)
			}
		})
	}
}
