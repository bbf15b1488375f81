import { cloister } from 'cloister'

const app = cloister({ strict: true, unionErrors: 'branch' })

app.post(
  '/shapes',
  {
    schema: {
      body: {
        anyOf: [
          {
            type: 'object',
            required: ['kind', 'radius'],
            properties: {
              kind: { const: 'circle' },
              radius: { type: 'number', exclusiveMinimum: 0 },
            },
          },
          {
            type: 'object',
            required: ['kind', 'side'],
            properties: {
              kind: { const: 'square' },
              side: { type: 'number', exclusiveMinimum: 0 },
            },
          },
        ],
      },
      response: {
        200: { type: 'object', required: ['area'], properties: { area: { type: 'number' } } },
      },
    },
  },
  async (request) => {
    const shape = request.body
    if (shape.kind === 'circle') return { area: Math.PI * shape.radius ** 2 }
    return { area: shape.side ** 2 }
  },
)

export default app
