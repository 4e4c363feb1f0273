// The help page's text about what two sides share and agree on.
import type { HelpSection } from './help-section.ts'

export const CONNECTING: HelpSection = {
  id: 'connecting',
  heading: 'Connecting with a tutor or a family',
  questions: [
    {
      ask: 'Do I have to connect with anyone?',
      answer: [
        'No. Your log works on its own. Connect when you want the other person to see and confirm the sessions you have together.',
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
      ask: 'Can I connect without an email address?',
      steps: [
        'Tap **Ask to confirm** or **Invite the family**, and choose **Link or QR code**.',
        'Tap **Make the link**. Let the other person scan the code, or send the link in any messenger.',
      ],
      answer: [
        'The first device that opens the link and continues keeps it; it opens nowhere else after that. You see when ' +
          'it was opened, and can make a new link, which ends the old one. If nobody opens it within 14 days, it lapses. ' +
          'Without an address, the other person gets no emails or reminders, but can add one on the page at any time.',
      ],
    },
    {
      ask: 'I’m a tutor. How do I connect with a family?',
      steps: [
        'Open **My Students** and tap **Invite the family** on the student’s card.',
        'Enter the family’s email, and check any brothers or sisters you also teach.',
        'Tap **Send the invitation**.',
      ],
      answer: ['The family can also answer from the email. They don’t need an account.'],
    },
    {
      ask: 'Someone sent me a request. What do I do?',
      answer: [
        'If you have an account, tap **Accept** or **Decline** on your dashboard. When you accept, you ' +
          'match each name to one of your students or children. If you don’t have an account, open the ' +
          'link in the email. The link works for 45 days, and every later email includes a new one. If ' +
          'nobody answers a request within 30 days, it expires.',
      ],
    },
    {
      ask: 'What does the other person see?',
      answer: [
        'They see your name, the child’s first name, and the details of each session you have together: date, ' +
          'start time, duration, subject, rate, amount, summary and homework. They also see the payments ' +
          'between the two of you. They never see your private notes, phone numbers, or other tutors, ' +
          'students or families.',
        'All the sessions you have together are shared, unless you choose a start date when you send ' +
          'the request. Sessions before that date stay in your own log.',
      ],
    },
    {
      ask: 'What if we both logged the same lesson?',
      answer: [
        'Tutorlog shows you the two side by side. Tap **Same lesson** to combine them, or **Two lessons** to ' +
          'keep both. If you combine two that don’t match exactly, you’ll both be asked to confirm the result.',
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
}

export const CONFIRMING: HelpSection = {
  id: 'confirming',
  heading: 'Confirming and disputing sessions',
  questions: [
    {
      ask: 'What do the two check marks mean?',
      answer: [
        'Blue is the parent’s and green is the tutor’s. Logging a session confirms it for your side. ' +
          'Once the other person confirms it too, it’s agreed.',
      ],
    },
    {
      ask: 'How do I confirm a session?',
      answer: [
        'Tap **Confirm** on your dashboard, or open the link in our email. To confirm several at once, open ' +
          '**Sessions to confirm**: everything is checked, and one button confirms what stays checked. You can ' +
          'confirm a session starting on the day it takes place. If you change your mind, tap **Undo**.',
      ],
    },
    {
      ask: 'What if a session is wrong?',
      answer: [
        'Tap **Not right**, or uncheck the session in the list, pick **Time**, **Rate** or **Didn’t happen**, ' +
          'fill in what would be right, then tap **Send**. The other person can accept it with one tap. You can ' +
          'also send only a note, and they correct the session or reply. A session that isn’t right isn’t part ' +
          'of what’s owed until you both agree.',
      ],
    },
    {
      ask: 'Can a confirmed session still change?',
      answer: [
        'Yes, either of you can correct it. If the student, tutor, date, duration or rate changes, the other ' +
          'person’s confirmation no longer counts, and they’re asked to confirm again. The session’s ' +
          'history shows both of you who did what and when, and nobody can change it.',
      ],
    },
    {
      ask: 'I deleted a session by mistake. Can I get it back?',
      answer: [
        'Yes, for a few seconds: tap **Undo** in the message at the bottom. Nobody else hears of it. The session is ' +
          'deleted once the message or the page closes.',
      ],
    },
    {
      ask: 'Can I delete a session the other person has confirmed?',
      answer: [
        'Only if they agree. The session is deleted once the other person taps **Agree to delete**. If they tap **Keep it**, it stays.',
      ],
    },
    {
      ask: 'What if the other person never answers?',
      answer: [
        'The session stays unconfirmed. We send a reminder after 3 days and another after 10. After 14 ' +
          'days the session shows “No answer since” and the date, or after 28 days if our reminders ' +
          'can’t reach them. If you asked to delete the session, you can then tap **Delete from your ' +
          'log**, and the other person keeps a copy.',
      ],
    },
  ],
}

export const MONTHS: HelpSection = {
  id: 'months',
  heading: 'Months',
  questions: [
    {
      ask: 'Where do I see a month’s total?',
      answer: [
        'Open **Summary**. It shows the month’s sessions, hours and amounts, with how much is agreed and how ' +
          'much is still waiting. Tap **Statement** to get a PDF or a spreadsheet for any date range, for ' +
          'everyone or just one person.',
      ],
    },
    {
      ask: 'How do we close a month?',
      steps: [
        'On or after the last day of the month, open **Summary** and choose the month.',
        'Under **Closing the month**, see what’s still open. Every session and payment must be confirmed first.',
        'Tap the button to close the month. The other person confirms with one tap.',
      ],
      answer: [
        'You both get the same page, with every session, every payment and the balance. Tap **Keep a copy ' +
          '(PDF)** to save it. Anyone can use the code on it to check that it’s genuine.',
        'If you have a passkey, you can **Sign with your passkey**, and the page says so. It’s optional.',
      ],
    },
    {
      ask: 'How do I check a statement someone gave me?',
      answer: [
        'Open **Verify** at the bottom of this page and type the code from the statement. You see whether ' +
          'it’s genuine, and the figures that both sides confirmed. Compare them with the ones on your copy.',
      ],
    },
    {
      ask: 'Can a closed month change?',
      answer: [
        'Only if one of you reopens it and gives a reason, which the other person can see. Anyone who ' +
          'checks the old code will then see that the month has changed. When you close the month ' +
          'again, the new page gets a new code.',
      ],
    },
  ],
}
