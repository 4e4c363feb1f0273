// The help page's text about signing in and about one's data.
import type { HelpSection } from './help-section.ts'

export const SIGNING_IN: HelpSection = {
  id: 'signing-in',
  heading: 'Signing in and security',
  questions: [
    {
      ask: 'Can I sign in without a password?',
      steps: [
        'Open **Account settings** and tap **Add** next to **Passkeys**.',
        'Confirm with your fingerprint, face or screen lock.',
        'Next time, pick the passkey that your browser suggests, or tap **Use a passkey**.',
      ],
      answer: [
        'You can also sign up with a passkey. If you lose your devices, tap **Forgot password?** to get back in by ' +
          'email.',
      ],
    },
    {
      ask: 'How do I protect my password with a second step?',
      steps: [
        'Open **Account settings** and tap **Set up** next to **Second step**.',
        'Scan the code with an authenticator app, such as Google Authenticator, and enter the code that it shows.',
        'Keep the ten recovery codes where you’ll find them without your phone.',
      ],
      answer: [
        'From then on, your password needs a code from the app, too. Without your phone, use a recovery code or a ' +
          'passkey. Resetting your password by email needs a code as well.',
      ],
    },
    {
      ask: 'What if an email says that I signed in, and it wasn’t me?',
      steps: [
        'Tap **This wasn’t me** in that email.',
        'Tap **Sign everyone out**.',
        'Choose a new password with the link that we then email you.',
      ],
      answer: [
        'We email you when someone signs in from a browser you haven’t used before, and when your password, email address, ' +
          'passkeys, Google account or second step change. The button signs everyone out. Your password stops working, and so does whatever ' +
          'was added since: passkeys, Google, a second step and recovery codes. The link works for 7 days. After a change of ' +
          'address, it goes to the earlier address, works for 3 days, and brings that address back.',
      ],
    },
    {
      ask: 'Where do I see what happened in my account?',
      answer: [
        'Open **Account settings** and tap **Show** next to **Recent activity**. It lists sign-ins, failed ones too, changes of ' +
          'what you sign in with, changes of members, and exports of the last 12 months, each with its time, browser and network. ' +
          'If one of them wasn’t you, change your password: that signs out all other devices.',
      ],
    },
  ],
}

export const YOUR_DATA: HelpSection = {
  id: 'your-data',
  heading: 'Exporting your data and deleting your account',
  questions: [
    {
      ask: 'How do I export my data?',
      answer: [
        'Open **Account settings** and tap **Export**. You get one ZIP file with every table, as CSV for ' +
          'spreadsheets and as JSON for programs, and a README that explains the columns. If you own the ' +
          'family or practice, or you’re a parent who can see everything in it, you get all of its records. ' +
          'Otherwise, you get what belongs to your account.',
        'The file also proves itself: **verify.mjs** in it finds every entry that was changed, and every gap, without Tutorlog. The README says how.',
      ],
    },
    {
      ask: 'Can I import a list that I already have?',
      steps: [
        'Save the spreadsheet as a CSV file.',
        'Open **Summary** and tap **Import**, or **Import charges** on the payments page.',
        'Choose the file, check what was understood, and tap the button at the bottom.',
      ],
      answer: [
        'A file can have sessions, or charges and credits. A charge needs a date and an amount; a negative ' +
          'amount is a credit. Lines that can’t be imported say why, and what’s already recorded is left out. ' +
          'The other person is asked about imported charges like any others. You can also import ' +
          'the file csv/charges.csv of your export.',
      ],
    },
    {
      ask: 'What if my trial or subscription ends?',
      answer: [
        'You can still read, export and delete everything. Nothing is ever deleted because you didn’t pay.',
      ],
    },
    {
      ask: 'How do I delete my account?',
      answer: [
        'Open **Account settings** and tap **Delete**. Type “delete” and enter your password; if you sign in ' +
          'with Google, you may have to sign in again. You’re signed out everywhere right away, and any active ' +
          'subscription is canceled.',
        'Everything in your account is erased within 30 days. Sign in within 29 days if you want to keep it.',
      ],
    },
    {
      ask: 'What happens to what I shared?',
      answer: [
        'The other person keeps their copy of the sessions and payments you shared, and the pages of ' +
          'closed months. If another parent can see all of the family’s records, they become the owner ' +
          'and nothing else changes. If you signed a page with a passkey, the signature stays on it.',
      ],
    },
    {
      ask: 'How do I get fewer emails?',
      answer: [
        'To choose which emails you get, go to **Account settings** and open **Emails**. Every daily and monthly email also has an unsubscribe link.',
      ],
    },
  ],
}
