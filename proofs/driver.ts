// Drives browsers that Playwright doesn't support: Debian's Firefox through the protocol geckodriver uses,
// and WebKit through WebDriver.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
let freePort = 4280
const WAIT_MS = 15_000
/** WebDriver's key for an element id. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
type ElementId = Record<typeof ELEMENT, string>

/** The few WebDriver commands that the journey uses. */
interface Wire {
  go(url: string): Promise<unknown>
  run(script: string, args: unknown[]): Promise<unknown>
  click(element: ElementId): Promise<unknown>
  type(element: ElementId, text: string): Promise<unknown>
  stop(): Promise<void>
}

/** Controls a page using visible names, like the other journeys do. */
export class Screen {
  #wire: Wire

  constructor(wire: Wire) {
    this.#wire = wire
  }

  go(url: string): Promise<unknown> {
    return this.#wire.go(url)
  }

  /** Runs a function body in the page. */
  run(body: string, ...args: unknown[]): Promise<unknown> {
    return this.#wire.run(body, args)
  }

  async click(role: 'button' | 'link' | 'radio', name: string): Promise<void> {
    const selector = { button: 'button, [role=menuitem]', link: 'a', radio: 'label' }[role]
    await this.#wire.click(await this.#find(`${role} "${name}"`, NAMED, [selector, name]))
  }

  async fill(label: string, text: string): Promise<void> {
    await this.#wire.type(await this.#find(`field "${label}"`, LABELED, [label]), text)
  }

  /** Waits until the text appears anywhere on the page. */
  async see(text: string): Promise<void> {
    await this.#find(
      `text "${text}"`,
      'return document.body.innerText.includes(arguments[0]) && document.body',
      [text],
    )
  }

  stop(): Promise<void> {
    return this.#wire.stop()
  }

  async #find(what: string, script: string, args: unknown[]): Promise<ElementId> {
    const until = Date.now() + WAIT_MS
    while (Date.now() < until) {
      // A page doesn't respond while it's navigating away.
      const found = await this.#wire.run(script, args).catch(() => null)
      if (found) return found as ElementId
      await pause(100)
    }
    const shown = await this.#wire.run('return location.pathname + "\\n" + document.body.innerText', [])
    throw new Error(`no ${what} within ${WAIT_MS / 1000} s; the page shows:\n${String(shown)}`)
  }
}

/** Finds an element by its role and name, and scrolls it to the middle of the screen, where no bar covers it. */
const NAMED = `
  const [selector, name] = arguments
  const nameOf = (one) => one.getAttribute('aria-label') ?? one.innerText.trim()
  const fits = (one) => nameOf(one) === name || nameOf(one).startsWith(name + (selector === 'label' ? '' : ','))
  const isReady = (one) => one.checkVisibility() && !one.disabled && one.getAttribute('aria-disabled') !== 'true'
  const found = [...document.querySelectorAll(selector)].find((one) => fits(one) && isReady(one))
  found?.scrollIntoView({ block: 'center' })
  return found ?? null`

const LABELED = `
  const label = [...document.querySelectorAll('label')].find((one) => one.innerText.startsWith(arguments[0]))
  label?.control?.scrollIntoView({ block: 'center' })
  return label?.control ?? null`

/** Runs Debian's Firefox headless. */
export async function openFirefox(): Promise<Screen> {
  const profile = mkdtempSync(join(tmpdir(), 'tutorlog-firefox-'))
  const port = freePort++
  writeFileSync(join(profile, 'user.js'), `user_pref("marionette.port", ${port});`)
  const browser = start('firefox-esr', ['--marionette', '--headless', '--no-remote', '--profile', profile], {
    MOZ_HEADLESS_WIDTH: '390',
    MOZ_HEADLESS_HEIGHT: '844',
  })
  const socket = await until(async () => {
    const attempt = connect(port, '127.0.0.1')
    await once(attempt, 'connect')
    return attempt
  })
  const answers = new Map<number, (answer: [error: { message: string } | null, result: unknown]) => void>()
  let received = Buffer.alloc(0)
  // A message consists of its length, a colon, and JSON.
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, colon).toString())
      if (colon < 0 || received.length < end) return
      const message = JSON.parse(received.subarray(colon + 1, end).toString()) as unknown
      received = received.subarray(end)
      if (Array.isArray(message)) answers.get(message[1] as number)?.([message[2], message[3]] as never)
    }
  })
  let count = 0
  const send = async (command: string, parameters: object = {}): Promise<{ value?: unknown }> => {
    const id = ++count
    const text = JSON.stringify([0, id, `WebDriver:${command}`, parameters])
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [error, result] = await new Promise<Parameters<Parameters<typeof answers.set>[1]>[0]>((resolve) =>
      answers.set(id, resolve),
    )
    if (error) throw new Error(`${command}: ${error.message}`)
    return result as { value?: unknown }
  }
  await send('NewSession')
  return new Screen({
    go: (url) => send('Navigate', { url }),
    run: async (script, args) => (await send('ExecuteScript', { script, args })).value,
    click: (element) => send('ElementClick', { id: element[ELEMENT] }),
    type: (element, text) => send('ElementSendKeys', { id: element[ELEMENT], text }),
    async stop() {
      socket.destroy()
      await end(browser)
      rmSync(profile, { recursive: true, force: true })
    },
  })
}

/** Runs WebKitGTK's MiniBrowser on a virtual screen. */
export async function openWebKit(): Promise<Screen> {
  const port = freePort++
  const browser = start('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`])
  const send = async (path: string, parameters: object = {}, method = 'POST'): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(parameters) }),
    })
    const { value } = (await response.json()) as { value: { message?: string } | null }
    if (!response.ok) throw new Error(`${path}: ${value?.message}`)
    return value
  }
  const options = { binary: MINI_BROWSER, args: ['--automation'] }
  const { sessionId } = (await until(() =>
    send('', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } }),
  )) as { sessionId: string }
  const session = `/${sessionId}`
  await send(`${session}/window/rect`, { width: 390, height: 844 })
  return new Screen({
    go: (url) => send(`${session}/url`, { url }),
    run: (script, args) => send(`${session}/execute/sync`, { script, args }),
    click: (element) => send(`${session}/element/${element[ELEMENT]}/click`),
    type: (element, text) => send(`${session}/element/${element[ELEMENT]}/value`, { text }),
    async stop() {
      await send(session, {}, 'DELETE')
      await end(browser)
    },
  })
}

/** Runs in its own process group, so that any processes the program starts can be stopped along with it. */
function start(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid)
  await ended
}

/** Retries an action until it succeeds. If it never does, throws the last error. */
async function until<Result>(attempt: () => Result): Promise<Awaited<Result>> {
  for (let tries = 0; ; tries++)
    try {
      return await attempt()
    } catch (error) {
      if (tries > 600) throw error
      await pause(100)
    }
}
