// The main journey in Firefox and WebKit: sign up, log a session, get it confirmed by email, close the month,
// sign out.
import { linkIn } from '../e2e/people.ts'
import { openFirefox, openWebKit, type Screen } from './driver.ts'
import { runServer } from '../e2e/server.ts'

const PORT = '4182'
/**
 * Over plain HTTP, WebKit doesn't store secure cookies, even on localhost. For other host names, the server
 * doesn't set any cookies.
 */
const ORIGIN = `http://tutorlog.localhost:${PORT}`

const server = await runServer(PORT, { BASE_URL: ORIGIN })
try {
  for (const [name, open] of [
    ['WebKit', openWebKit],
    ['Firefox', openFirefox],
  ] as const) {
    // The emailed page is for the other side, so nobody is signed in there.
    const screens: Screen[] = []
    const another = async () => screens[screens.push(await open()) - 1] as Screen
    try {
      await journey(await another(), await another(), name.toLowerCase())
      console.log(`${name}: signed up, logged, confirmed, closed the month, signed out`)
    } finally {
      for (const screen of screens) await screen.stop()
    }
  }
} finally {
  await server.stop()
}

async function journey(screen: Screen, tutors: Screen, name: string): Promise<void> {
  const [parent, tutor] = [`parent-${name}@example.com`, `tutor-${name}@example.com`]
  const lastMonth = new Date(new Date().getFullYear(), new Date().getMonth() - 1, 6)
  const month = lastMonth.toLocaleDateString('sv-SE').slice(0, 7)
  const isOtherYear = lastMonth.getFullYear() !== new Date().getFullYear()
  const title = lastMonth.toLocaleDateString('en-US', {
    month: 'long',
    ...(isOtherYear ? { year: 'numeric' } : {}),
  })

  await screen.go(`${ORIGIN}/signup`)
  await screen.click('button', 'Continue')
  await screen.see('Enter your email address')
  await screen.fill('Email', parent)
  await screen.fill('Password', 'greenhouse-41')
  await screen.fill('Confirm password', 'greenhouse-41')
  await screen.click('button', 'Continue')
  await screen.see('Who are you here as?')
  await screen.click('radio', 'Parent')
  await screen.click('button', 'Create account')
  await screen.see('Account created successfully!')
  await screen.go(await mailedLink(parent, 'Verify your email'))
  await screen.see('Hello')

  await post(screen, 'students', { name: 'Maya Whitfield' })
  const ingrid = await post(screen, 'tutors', { name: 'Ingrid Lindqvist', email: tutor, hourly_rate: 45 })
  await screen.go(`${ORIGIN}/add-session`)
  await screen.see('1 h at $45.00')
  await choose(screen, 'Date', `${month}-06`)
  await choose(screen, 'Duration', '1.5')
  await screen.see('1.5 h at $45.00')
  await screen.click('button', 'Add Session')
  await screen.see('Session added successfully')

  await post(screen, 'connections', { tutor_id: ingrid })
  const link = await mailedLink(tutor, 'asks you to confirm')
  await tutors.go(link)
  await tutors.click('button', 'Confirm 1 session, $67.50')
  await tutors.see('agreed by both of you')

  await screen.go(`${ORIGIN}/summary?month=${month}`)
  await screen.click('button', `Close ${title} with Ingrid Lindqvist`)
  await screen.see(`You asked to close ${title}`)
  await tutors.go('about:blank')
  await tutors.go(link)
  await tutors.click('button', `Close ${title}`)
  await tutors.see('See the page')
  await screen.go(`${ORIGIN}/summary?month=${month}`)
  await screen.see('Closed')

  await screen.click('button', 'Account menu')
  await screen.click('button', 'Sign Out')
  await screen.see('Sign in')
}

/** Sets the value of a field with a list or calendar, which looks different in each browser. */
async function choose(screen: Screen, label: string, value: string): Promise<void> {
  await screen.run(
    `const label = [...document.querySelectorAll('label')].find((one) => one.innerText.startsWith(arguments[0]))
     const { control } = label
     Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value').set.call(control, arguments[1])
     for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))`,
    label,
    value,
  )
}

/** Adds something through the API as the signed-in user, and returns its id. */
async function post(screen: Screen, path: string, data: object): Promise<string> {
  const answer = (await screen.run(
    `return fetch('/api/v1/' + arguments[0], {
       method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(arguments[1]),
     }).then((response) => response.json())`,
    path,
    data,
  )) as { id?: string }
  if (!answer.id) throw new Error(`${path} was refused: ${JSON.stringify(answer)}`)
  return answer.id
}

/** The link in the newest email with this subject. */
async function mailedLink(to: string, subject: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`http://localhost:${PORT}/mailbox/messages?to=${encodeURIComponent(to)}`)
    const mails = (await answer.json()) as { subject: string; text: string }[]
    const mail = mails.find((one) => one.subject.includes(subject))
    if (mail) return linkIn(mail.text)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no email "${subject}" for ${to}`)
}
