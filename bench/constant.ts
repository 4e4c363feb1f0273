// The bare peer: node:http with one constant answer, whose length stands in LENGTH.
import { createServer } from 'node:http'

const answer = 'x'.repeat(Number(process.env.LENGTH))
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
  response.end(answer)
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
