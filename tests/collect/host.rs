//! A host made up in a folder of its own: processes, data directories, and etcd's tools on its `PATH`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use etcd_upgrade_planner::evidence::collect::{FILE_NAME, SCRIPT};

/// The fixtures of the tests.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// A host made up in a folder of its own.
pub struct Host {
    folder: PathBuf,
    captures: &'static str,
    /// Further variables of the run.
    pub environment: Vec<(&'static str, String)>,
}

impl Host {
    /// A host whose etcdctl answers as on the cluster of these captures.
    pub fn new(name: &str, captures: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collect").join(name);
        let _ = fs::remove_dir_all(&folder);
        for sub in ["proc/self", "tmp", "manifests", "bin"] {
            fs::create_dir_all(folder.join(sub)).unwrap();
        }
        fs::write(folder.join(FILE_NAME), SCRIPT).unwrap();
        let host = Self { folder, captures, environment: Vec::new() };
        for tool in ["etcd", "etcdctl", "etcdutl"] {
            symlink(fixtures().join("collect/bin").join(tool), host.path("bin").join(tool)).unwrap();
        }
        host
    }

    /// A path below its folder.
    pub fn path(&self, part: &str) -> PathBuf {
        self.folder.join(part)
    }

    /// A process, and the data directory `data-NAME` beside it.
    pub fn process(&self, pid: u32, comm: &str, arguments: &[&str], environment: Option<&[&str]>) {
        let folder = self.path("proc").join(pid.to_string());
        fs::create_dir_all(&folder).unwrap();
        let joined = |parts: &[&str]| parts.iter().map(|p| format!("{p}\0")).collect::<String>();
        fs::write(folder.join("comm"), format!("{comm}\n")).unwrap();
        fs::write(folder.join("cmdline"), joined(arguments)).unwrap();
        if let Some(environment) = environment {
            fs::write(folder.join("environ"), joined(environment)).unwrap();
        }
        symlink(self.path("bin/etcd"), folder.join("exe")).unwrap();
    }

    /// A program on its `PATH`, written for one test.
    pub fn program(&self, name: &str, script: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Member `m1`, m2 and m3 as processes of this host, as in the captures.
    pub fn three_members(&self, environment: &[&str]) {
        for (pid, name, port) in [(101, "m1", 23790), (102, "m2", 23800), (103, "m3", 23810)] {
            self.member(pid, name, port, environment);
        }
    }

    /// One member as a process of this host.
    pub fn member(&self, pid: u32, name: &str, port: u16, environment: &[&str]) {
        let data = self.data_dir(name);
        let client = format!("http://127.0.0.1:{port}");
        let arguments = [
            "/usr/local/bin/etcd",
            &format!("--name={name}"),
            "--data-dir",
            &data,
            &format!("--listen-client-urls={client}"),
            &format!("--advertise-client-urls={client}"),
        ];
        self.process(pid, "etcd", &arguments, Some(environment));
    }

    /// The data directory of a member.
    pub fn data_dir(&self, name: &str) -> String {
        let data = self.path("data").join(name);
        fs::create_dir_all(data.join("member/snap")).unwrap();
        fs::create_dir_all(data.join("member/wal")).unwrap();
        fs::write(data.join("member/snap/0000000000000002-0000000000000011.snap"), "snap").unwrap();
        fs::write(data.join("member/snap/db"), "db").unwrap();
        fs::write(data.join("member/wal/0000000000000000-0000000000000000.wal"), "wal").unwrap();
        data.to_str().unwrap().to_owned()
    }

    /// Runs the script there.
    pub fn run(&self, options: &[&str]) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        let mut command = Command::new("dash");
        command.arg(self.path(FILE_NAME)).args(options).env_clear().env("PATH", path).env("HOME", "/");
        command.env("ETCD_COLLECT_PROC", self.path("proc")).env("ETCD_COLLECT_MANIFESTS", self.path("manifests"));
        command.env("TMPDIR", self.path("tmp")).env("CHECKED", self.path("checked"));
        command.env("CAPTURES", fixtures().join("captures").join(self.captures));
        command.envs(self.environment.iter().map(|(k, v)| (k, v)));
        command.output().expect("dash runs the script: install it")
    }

    /// What it prints, after a run without complaint.
    pub fn collect(&self, options: &[&str]) -> String {
        let output = self.run(options);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{out}\n{err}");
        assert_eq!(err, "");
        assert!(out.ends_with("##etcd-collect end##\n"), "{out}");
        assert_eq!(fs::read_dir(self.path("tmp")).unwrap().count(), 0, "nothing is left behind");
        out
    }
}

/// What a program printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
