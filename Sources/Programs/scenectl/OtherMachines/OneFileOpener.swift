/// Opens links and files on a machine or in a container without scenectl.
///
/// In Perl, because every Debian has it (perl-base), while a shell alone cannot connect to a socket.
enum OneFileOpener {
  static let script = #"""
    #!/usr/bin/perl
    # Opens links and files through the socket $SCENED_SOCKET, by default $XDG_RUNTIME_DIR/scened/links.
    # usage: scened-open URL|FILE[:LINE[:COLUMN]] ...
    use strict;
    use Cwd;
    use Socket;

    sub url {
      my $path = my $url = shift;
      my $place = "";
      if ($url =~ m{^file:(?://(?:localhost)?)?(/[^?#]*)(?:\?[^#]*)?(#[\w,-]*)?}i) {
        ($path, $place) = ($1, $2 // "");
        $path =~ s/%([0-9a-f]{2})/chr hex $1/gei;
      } elsif (!-e $path && $path =~ /^(.+?):(\d+)(?::(\d+))?$/ && -e $1) {
        ($path, $place) = ($1, "#L$2" . ($3 ? ",$3" : ""));
      } elsif ($url =~ m{^[a-z][a-z0-9+.-]*:(//)?}i && ($1 || !-e $path)) {
        $url =~ s/([^!#-[\]^-~])/sprintf "%%%02X", ord $1/ge;
        return $url;
      }
      -e $path or die "there is no such file.\n";
      $path = Cwd::abs_path($path);
      # A container has files of its own. Engines show those of the machine below /run/host.
      $ENV{SSH_CONNECTION} or join(":", (stat $path)[0, 1]) eq join(":", (stat "/run/host$path")[0, 1])
        or die "this file is only in the container, where no window can open it.\n";
      $path =~ s/([^A-Za-z0-9\-._~!\$&'()*+,=:@\/])/sprintf "%%%02X", ord $1/ge;
      return "file://$path$place";
    }

    sub send_event {
      my $url = shift;
      my $place = $ENV{SCENED_SOCKET} || "$ENV{XDG_RUNTIME_DIR}/scened/links";
      socket my $router, PF_UNIX, SOCK_STREAM, 0 or die "$!.\n";
      connect $router, sockaddr_un($place) or die "scened cannot be reached at $place: $!.\n";
      syswrite $router, qq({"method":"io.scened.Router.SendEvent","parameters":{"event":{"url":"$url"}}}\0);
      local $/ = "\0";
      my $answer = <$router> // die "the connection to scened has ended.\n";
      $answer =~ /^\{"error"/ and die "nothing on your desktop has taken it.\n";
    }

    my $failed = !@ARGV;
    for (@ARGV) {
      next if eval { send_event(url($_)); 1 };
      print STDERR "$_: $@";
      $failed = 1;
    }
    exit $failed;
    """# + "\n"
}
