package graph

// This file finds strongly connected components.

// Components returns the strongly connected components of the part of the graph that roots reach, a
// component before those that lead to it (Tarjan 1972). The nodes of a component are in the order in
// which the search found them; it tries roots in the order given. n is the number of nodes of the graph.
func Components[N Node](n int, roots []N, succ func(N) []N) (components [][]N) {
	index := make([]int32, n) // order of discovery, from 1; 0 if not yet discovered
	low := make([]int32, n)   // least index known to be reachable; 0 once the component is complete
	done := make([]N, 0, n)   // the components one after the other; its array never moves
	var open []N              // discovered, in no complete component
	var path []visit[N]       // from the root of the search to the present node
	count := int32(0)
	enter := func(v N) {
		count++
		index[v], low[v] = count, count
		open = append(open, v)
		path = append(path, visit[N]{v, succ(v)})
	}
	for _, root := range roots {
		if index[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			// 1. Look at the next successor of the present node.
			top := &path[len(path)-1]
			v := top.node
			if len(top.todo) > 0 {
				next := top.todo[0]
				top.todo = top.todo[1:]
				if index[next] == 0 {
					enter(next)
				} else if low[next] != 0 {
					low[v] = min(low[v], index[next])
				}
				continue
			}
			// 2. There is none left: the predecessor on the path reaches what v reaches.
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1].node
				low[parent] = min(low[parent], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			// 3. v was the first of its component to be discovered: the component is what was
			// discovered since.
			first := len(open) - 1
			for open[first] != v {
				first--
			}
			start := len(done)
			done = append(done, open[first:]...)
			open = open[:first]
			component := done[start:len(done):len(done)]
			for _, w := range component {
				low[w] = 0
			}
			components = append(components, component)
		}
	}
	return components
}
