import fp from 'fastify-plugin'

// A plugin in the callback style that decorates its parent and cleans up when the app closes.
function todos(fastify, _options, done) {
  const list = new Map()
  let last = 0

  fastify.decorate('todos', {
    all: () => [...list.values()],
    get: (id) => list.get(id),
    add(text) {
      const todo = { id: ++last, text, done: false, internal: 'not for clients' }
      list.set(todo.id, todo)
      return todo
    },
  })
  fastify.addHook('onClose', (_instance, closed) => {
    list.clear()
    closed()
  })
  done()
}

export default fp(todos, { name: 'todos', fastify: '>=4' })
