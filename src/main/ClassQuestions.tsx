// The page of an emailed question is rendered outside the app, so it imports the app's styles itself.
import './app.css'

export { default } from '#features/reminders/ClassQuestionsPage.tsx'
