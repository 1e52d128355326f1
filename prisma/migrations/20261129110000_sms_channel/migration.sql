ALTER TYPE "Channel" ADD VALUE 'sms';
