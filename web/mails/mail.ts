export interface Mail {
  subject: string;
  html: string;
  text: string;
}
