// The help page's text. Labels of buttons and pages are in **. help-text.test.ts checks that every label
// exists on a screen and that the numbers match the code.

export interface Question {
  ask: string
  /** Numbered steps, shown above the answer. */
  steps?: readonly string[]
  answer: readonly string[]
}

export interface HelpText {
  title: string
  summary: string
  /** `id` is the section's anchor, which the app and emails link to. */
  sections: readonly { id: string; heading: string; questions: readonly Question[] }[]
}

export const HELP: HelpText = {
  title: 'Help',
  summary:
    'How to share a log with a tutor or a family, agree on a month, and keep track of what’s owed. If your question isn’t here, write to us.',
  sections: [
    {
      id: 'connecting',
      heading: 'Connecting with a tutor or a family',
      questions: [
        {
          ask: 'Do I have to connect with anyone?',
          answer: [
            'No. Your log works on its own. Connect when you want the other side to see your sessions together and confirm them.',
          ],
        },
        {
          ask: 'I’m a parent. How do I connect with a tutor?',
          steps: [
            'Open **Tutors** and make sure the tutor’s email is filled in.',
            'Tap **Ask to confirm**, then **Send request**.',
          ],
          answer: [
            'The tutor gets an email with a link and can answer right there, without an account. If the tutor has ' +
              'an account under that address, the request also shows up on their dashboard.',
          ],
        },
        {
          ask: 'I’m a tutor. How do I connect with a family?',
          steps: [
            'Open **My Students** and tap **Invite the family** on the student’s card.',
            'Enter the family’s email, and tick any brothers or sisters you teach.',
            'Tap **Send the invitation**.',
          ],
          answer: ['The family can answer from the email, too. They don’t need an account.'],
        },
        {
          ask: 'Someone asked me. What do I do?',
          answer: [
            'If you have an account, tap **Accept** or **Decline** on your dashboard. When you accept, you say ' +
              'which of your students or children each name stands for. If you don’t have an account, open the link ' +
              'in the email. It works for 45 days, and every later email brings a new one. If nobody answers a ' +
              'request within 30 days, it ends.',
          ],
        },
        {
          ask: 'What does the other side see?',
          answer: [
            'Your name, the child’s first name, and for each session you have together: date, start time, ' +
              'duration, subject, rate, amount, summary and homework. They also see the payments between the two of ' +
              'you. They never see your private notes, your phone numbers, or your other tutors, students or ' +
              'families.',
            'All your sessions together are shared unless you choose a first day when you ask. Earlier sessions then stay in your own log.',
          ],
        },
        {
          ask: 'What if we both logged the same lesson?',
          answer: [
            'Tutorlog shows you the two side by side and asks. Tap **Same lesson** to make them one, or **Two ' +
              'lessons** to keep both. If they’re one lesson but differ, each of you confirms it.',
          ],
        },
        {
          ask: 'How do I end a connection?',
          answer: [
            'Tap the three dots next to the tutor, student or family, then **End connection**. Each of you keeps ' +
              'a copy of every session you shared, with its confirmations and history. From then on, neither of you ' +
              'sees what the other logs or changes.',
          ],
        },
      ],
    },
    {
      id: 'confirming',
      heading: 'Confirming and disputing sessions',
      questions: [
        {
          ask: 'What do the two ticks mean?',
          answer: [
            'Blue is the parent, green is the tutor. Whoever logs a session has confirmed it for their side. When ' +
              'the other side confirms it too, it’s verified.',
          ],
        },
        {
          ask: 'How do I confirm a session?',
          answer: [
            'Tap **Confirm** on your dashboard, or open the link in our email. You can confirm a session from its ' +
              'own day on. If you change your mind, tap **Undo**.',
          ],
        },
        {
          ask: 'What if a session is wrong?',
          answer: [
            'Tap **Not right**, say in a few words what’s wrong, then tap **Send back**. The other side sees your ' +
              'note and can correct the session or answer you. Either way, you’re asked again. A session that was ' +
              'sent back isn’t part of what’s owed until you both agree.',
          ],
        },
        {
          ask: 'Can a confirmed session still change?',
          answer: [
            'Yes, either of you can correct it. If the student, the tutor, the date, the duration or the rate ' +
              'changes, the other side’s confirmation no longer counts, and they’re asked again. The session’s ' +
              'history shows both of you who did what and when, and nobody can rewrite it.',
          ],
        },
        {
          ask: 'Can I delete a session the other side has confirmed?',
          answer: [
            'You can ask to. It’s deleted once the other side taps **Agree to delete**. If they tap **Keep it**, it stays.',
          ],
        },
        {
          ask: 'What if the other side never answers?',
          answer: [
            'Silence never confirms anything. We send a reminder after 3 days and another after 10. After 14 days ' +
              'the session reads “No answer since” with the date. If our reminders can’t reach them, that takes 28 ' +
              'days. If you asked to delete the session, you can then tap **Delete from your log**, and the other ' +
              'side keeps a copy.',
          ],
        },
      ],
    },
    {
      id: 'months',
      heading: 'Months',
      questions: [
        {
          ask: 'Where do I see what a month comes to?',
          answer: [
            'Open **Summary**. It shows the sessions, hours and amounts of the month, how much of it is verified ' +
              'and how much is still waiting. **Statement** gives you a PDF or a spreadsheet file of any days, for ' +
              'everyone or for one person.',
          ],
        },
        {
          ask: 'How do we close a month?',
          steps: [
            'On the month’s last day or later, open **Summary** and choose the month.',
            'Under **Closing the month**, see what’s still open. Every session and payment has to be confirmed first.',
            'Tap the button to close the month. The other side confirms with one tap.',
          ],
          answer: [
            'You both get the same page, with every session and payment and the balance. **Keep a copy (PDF)** ' +
              'saves it. The code on it leads to a page where anyone can check that it’s genuine.',
          ],
        },
        {
          ask: 'Can a closed month change?',
          answer: [
            'Only if one of you reopens it and gives a reason, which the other side can read. The old code then ' +
              'says that the month has changed since. Close the month again, and the new page gets a new code.',
          ],
        },
      ],
    },
    {
      id: 'payments',
      heading: 'Payments and ways to pay',
      questions: [
        {
          ask: 'Does Tutorlog move money?',
          answer: [
            'No. You pay each other the way you always have. Tutorlog keeps track of what was paid and what’s still open.',
          ],
        },
        {
          ask: 'How do I record a payment?',
          answer: [
            'Open **Payments** from the summary and tap **Record a payment**. If you’re connected, the other side ' +
              'is asked: the tutor taps **Received**, the family taps **Paid**. Until they do, the payment is on ' +
              'its way and doesn’t change the balance.',
          ],
        },
        {
          ask: 'How is the balance worked out?',
          answer: [
            'It starts with what was carried over, adds the sessions, and takes off what was paid. You both see ' +
              'the same balance. A payment from before you connected stays in your own records until you tap ' +
              '**Share**.',
          ],
        },
        {
          ask: 'How do prepaid hours work?',
          answer: [
            'Record a payment, choose **Prepaid hours**, and enter the hours and their price. Sessions from that ' +
              'day on draw on those hours first, and you’re told when they’re nearly used.',
          ],
        },
        {
          ask: 'I’m a tutor. How do I tell families how to pay me?',
          answer: [
            'Open **Account settings** and tap **Add a payment option**. You can list up to 6: a payment link from ' +
              'PayPal, Venmo, Cash App, Revolut, Wise or Stripe, a bank account in the euro area or in Switzerland, ' +
              'a UPI ID, or a few words of your own. Only the owner of the practice can change the list.',
          ],
        },
        {
          ask: 'I’m a parent. How do I pay?',
          answer: [
            'When you owe something, **Payments** shows the tutor’s ways to pay, with the amount filled in where ' +
              'that’s possible. Pay, then tap **I paid**.',
          ],
        },
      ],
    },
    {
      id: 'voice',
      heading: 'Voice',
      questions: [
        {
          ask: 'How do I log a session by voice?',
          steps: [
            'Open **Add Session** and choose **Voice Input**.',
            'Tap the microphone and say who, with which tutor, when and how long, in up to two minutes: “Maya had ' +
              'an hour and a half of algebra with Ingrid on Tuesday.”',
            'Tap again when you’re done, and check what was understood.',
            'Tap **Use This Data** or **Edit & Review**. Both fill in the form.',
          ],
          answer: ['Nothing is saved until you tap **Add Session** in the form.'],
        },
        {
          ask: 'What if I can’t record?',
          answer: [
            'Type the same sentence, or dictate it with your keyboard’s microphone, and tap **Fill in the form**. ' +
              'That works even where recording is blocked or turned off.',
          ],
        },
        {
          ask: 'Do you keep my recording?',
          answer: [
            'No. It’s used to fill in one session and is never stored. It stays on the server you use, unless the ' +
              'operator of that server has set up a speech service elsewhere.',
          ],
        },
      ],
    },
    {
      id: 'offline',
      heading: 'Working offline',
      questions: [
        {
          ask: 'What can I do without a connection?',
          answer: [
            'Read what you last loaded on this device, and log sessions. A line at the top tells you that you’re ' +
              'offline and how old the data is. Open the app online at least once before, and stay signed in: after ' +
              '2 hours without activity you’re signed out.',
          ],
        },
        {
          ask: 'When are my sessions sent?',
          answer: [
            'They wait on your device and go out by themselves once you’re back online with the app open. Each is ' +
              'stored once, no matter how many times it’s sent. If one isn’t accepted, it stays in the list with ' +
              'the reason, and you can correct it or discard it.',
          ],
        },
        {
          ask: 'What if I sign out before that?',
          answer: [
            'We warn you first, because signing out yourself deletes the sessions that are still waiting on the ' +
              'device. If you’re signed out for inactivity, they’re kept for you until you sign in again.',
          ],
        },
      ],
    },
    {
      id: 'your-data',
      heading: 'Exporting your data and deleting your account',
      questions: [
        {
          ask: 'How do I get my data out?',
          answer: [
            'Open **Account settings** and tap **Export**. You get one ZIP file with every table, as CSV for ' +
              'spreadsheets and as JSON for programs, and a README that explains the columns. It has all records of ' +
              'your family or practice if you’re its owner, or a parent who sees all of them. Otherwise it has what ' +
              'belongs to your account.',
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
              'with Google, you may have to do that once more. You’re signed out everywhere at once, and a running ' +
              'subscription is canceled.',
            'Everything in your account is erased within 30 days. Sign in within 29 days, and you can keep it.',
          ],
        },
        {
          ask: 'What happens to what I shared?',
          answer: [
            'The other side keeps its copy of the sessions and payments you shared, and the pages of closed ' +
              'months. If another parent sees all of the family’s records, the family becomes theirs and stays as ' +
              'it is.',
          ],
        },
        {
          ask: 'How do I get fewer emails?',
          answer: [
            'Choose what you get under **Emails** in **Account settings**. Every daily and monthly email also has a link to unsubscribe.',
          ],
        },
      ],
    },
  ],
}

/** Splits text into plain parts and the labels in **. */
export function textParts(text: string): { words: string; isLabel: boolean }[] {
  return text
    .split('**')
    .map((words, at) => ({ words, isLabel: at % 2 === 1 }))
    .filter(({ words }) => words !== '')
}
